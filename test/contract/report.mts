import type { Row } from './clause.mts';

const remarkOf = (row: Row) => {
	if (row.verdict === 'as read') return row.chosen ?? '';
	return row.verdict === 'differs' ? `expected ${row.expected}; seen ${row.seen}` : row.why;
};

/** A row of the printed table; what is said of it stands below it. */
export function lineOf(row: Row) {
	const remark = remarkOf(row);
	return `${row.verdict.padEnd(11)}${row.promise}${remark === '' ? '' : `\n${' '.repeat(13)}${remark}`}`;
}

/** How many of each verdict. */
export function summaryOf(rows: Row[]) {
	const count = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict).length;
	return `${count('as read')} as read, ${count('differs')} differ, ${count('not tried')} not tried`;
}

/** The whole result as Markdown, for an issue. */
export function reportOf(rows: Row[], version: string) {
	const cell = (words: string) => words.replaceAll('|', '\\|').replaceAll('\n', ' ');
	const lines = rows.map(
		(row) =>
			`| ${row.verdict === 'differs' ? '**differs**' : row.verdict} | ${cell(row.promise)} | ${cell(remarkOf(row))} |`,
	);
	return [
		'# Check of a service',
		'',
		`n8n-nodes-legal-ai ${version}: ${summaryOf(rows)}.`,
		'',
		'| | Promise | Seen |',
		'|---|---|---|',
		...lines,
		'',
	].join('\n');
}
