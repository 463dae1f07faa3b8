import type { Row } from './clause.mts';

/** A row of the printed table; what is said of it stands below it. */
export function writeLine({ verdict, promise, remark }: Row) {
	return `${verdict.padEnd(11)}${promise}${remark === '' ? '' : `\n${' '.repeat(13)}${remark}`}`;
}

/** How many of each verdict. */
export function writeSummary(rows: Row[]) {
	const count = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict).length;
	return `${count('as read')} as read, ${count('differs')} differ, ${count('not tried')} not tried`;
}

/** The whole result as Markdown, for an issue. */
export function writeReport(rows: Row[], version: string) {
	const cell = (words: string) => words.replaceAll('|', '\\|').replaceAll('\n', ' ');
	const lines = rows.map(
		({ verdict, promise, remark }) =>
			`| ${verdict === 'differs' ? '**differs**' : verdict} | ${cell(promise)} | ${cell(remark)} |`,
	);
	return [
		'# Check of a service',
		'',
		`n8n-nodes-legal-ai ${version}: ${writeSummary(rows)}.`,
		'',
		'| | Promise | Seen |',
		'|---|---|---|',
		...lines,
		'',
	].join('\n');
}
