import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import { n8nVersion } from '../../harness/versions.mts';
import { isQuick, median } from './rounds.mts';

/** How this package, and the program without n8n, are called among the contenders. */
export const OURS = 'Legal AI';
export const PLAIN = 'plain undici';
/** What a figure is to reach: for this package alone, or for its ratio (or difference) to another contender, round by round. */
export interface Target {
	against?: string;
	/** Whether it is how much more than the other, and not how many times as much. */
	isDifference?: boolean;
	atMost?: number;
	atLeast?: number;
}

/** The same thing measured for each contender. */
interface Figure {
	what: string;
	unit: string;
	contenders: Readonly<Record<string, readonly number[]>>;
	targets: readonly Target[];
	/** What it means for a user. */
	meaning?: string;
	/** What a reader has to know about how it was measured. */
	note?: string;
}

const MISSED = 'MISSED';

const page = fileURLToPath(new URL('../RESULTS.md', import.meta.url));

/** Collects what a bench finds, prints it, and writes it into its section of the page when the bench is over. */
export function resultsOf(name: string, title: string): { figure: (figure: Figure) => void } {
	const figures: Figure[] = [];
	afterAll(async () => {
		if (isQuick || figures.length === 0) return;
		const sections = (await readFile(page, 'utf8'))
			.split(/^(?=## )/m)
			.filter((section) => !section.startsWith(`## ${title}\n`));
		const [head = '', ...others] = sections;
		const all = [...others, sectionOf(name, title, figures)].sort();
		await writeFile(page, [head, ...all].map((section) => section.trim()).join('\n\n') + '\n');
		const missed = figures.filter((figure) =>
			verdicts(figure).some((verdict) => verdict.endsWith(MISSED)),
		);
		if (missed.length > 0)
			throw new Error(
				`Recorded, but ${missed.length} of its figures missed their targets: ${missed.map(({ what }) => what).join('; ')}`,
			);
	});
	return {
		figure: (figure) => {
			figures.push(figure);
			console.log(
				[
					figure.what,
					...contenderRows(figure).map(([contender, value]) => `  ${contender}: ${value}`),
					...verdicts(figure),
				].join('\n'),
			);
		},
	};
}

/** With the commit that was measured, and how many processes wanted a processor meanwhile: above their number, times are too long. */
function sectionOf(name: string, title: string, figures: readonly Figure[]) {
	const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
	const processors = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
	return [
		`## ${title}`,
		`\`npm run bench -- ${name}\` at commit ${commit}, on ${processors}, Node ${process.version}, n8n ${n8nVersion}, at a load of ${tidy(loadavg()[1] ?? 0)}.`,
		table(
			['', 'Contender', 'Median', 'Range', 'What it means for you'],
			figures.flatMap((figure) =>
				contenderRows(figure).map((row, index) =>
					index === 0 ? [figure.what, ...row, figure.meaning ?? ''] : ['', ...row, ''],
				),
			),
		),
		...new Set(figures.flatMap(({ note }) => note ?? [])),
	].join('\n\n');
}

function contenderRows({
	contenders,
	unit,
}: Figure): [name: string, median: string, range: string][] {
	return Object.entries(contenders).map(([name, values]) => {
		const range =
			values.length > 1
				? `${tidy(Math.min(...values))} to ${tidy(Math.max(...values))}`
				: 'one run';
		return [name, `${tidy(median(values))} ${unit}`, range];
	});
}

/** Whether the targets were reached: by the median, or by the median of the rounds' ratios (or differences). */
function verdicts({ contenders, targets }: Figure) {
	return targets.map(
		({ against, isDifference = false, atMost = Infinity, atLeast = -Infinity }) => {
			const theirs = against === undefined ? undefined : contenders[against];
			const values = (contenders[OURS] ?? []).map((value, round) => {
				const other = theirs?.[round];
				return other === undefined ? value : isDifference ? value - other : value / other;
			});
			const reached = median(values);
			const bound = atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
			const words =
				against === undefined ? '' : isDifference ? ` more than ${against}` : ` × ${against}`;
			return `  → ${OURS}: ${tidy(reached)}${words}, target ${bound}: ${reached <= atMost && reached >= atLeast ? 'met' : MISSED}`;
		},
	);
}

/** A number with three digits that matter. */
function tidy(value: number) {
	if (value === 0) return '0';
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return Number(value.toFixed(Math.min(digits, 3))).toLocaleString('en-US', {
		maximumFractionDigits: 3,
	});
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]) {
	return [heads, heads.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
