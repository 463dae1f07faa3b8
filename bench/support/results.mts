import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { n8nVersion } from '../../harness/versions.mts';
import { isQuick, median } from './rounds.mts';

/** How this package, and the program without n8n, are called among the contenders. */
export const OURS = 'Legal AI';
export const PLAIN = 'plain undici';
/** A community node of some ten lines that only passes on what comes: what n8n takes for any such node. */
export const LEAST = 'least community node';

/** The two ways to run n8n, as environments: docs/self-hosting.md advises the first. */
export const settings: Readonly<Record<string, Record<string, string>>> = {
	'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true': { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	'default setting': {},
};

/** What a figure is to reach: for this package alone, or for its ratio (or difference) to another contender, round by round. */
export interface Target {
	/** The contender that is to reach it; this package by default. */
	readonly of?: string;
	readonly against?: string;
	/** Whether it is how much more than the other, and not how many times as much. */
	readonly isDifference?: boolean;
	readonly atMost?: number;
	readonly atLeast?: number;
}

/** The same thing measured for each contender. */
export interface Figure {
	readonly what: string;
	readonly unit: string;
	readonly contenders: Readonly<Record<string, readonly number[]>>;
	readonly targets: readonly Target[];
	/** What it means for a user. */
	readonly meaning?: string;
	/** What a reader has to know about how it was measured. */
	readonly note?: string;
}

/** What one bench has found. */
interface Recording {
	readonly name: string;
	readonly title: string;
	/** The commit that was measured. */
	readonly commit: string;
	/** What the figures were measured on. */
	readonly machine: { readonly processors: string; readonly node: string; readonly n8n: string };
	/** How many processes wanted a processor, on average over the minutes before the end: above their number, times are too long. */
	readonly load: number;
	readonly figures: readonly Figure[];
}

const MISSED = 'MISSED';

const folder = fileURLToPath(new URL('../results', import.meta.url));

/** Collects what a bench finds, prints it, and records it when the bench is over. */
export function resultsOf(name: string, title: string): { figure: (figure: Figure) => void } {
	const figures: Figure[] = [];
	afterAll(async () => {
		if (isQuick || figures.length === 0) return;
		const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
			encoding: 'utf8',
		}).trim();
		const recording: Recording = {
			name,
			title,
			commit,
			machine: {
				processors: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
				node: process.version,
				n8n: n8nVersion,
			},
			load: loadavg()[1] ?? 0,
			figures,
		};
		await mkdir(folder, { recursive: true });
		await writeFile(`${folder}/${name}.json`, `${JSON.stringify(recording, rounded, '\t')}\n`);
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

/** Run by Vitest once the benches are over: writes the page anew from all that is recorded. */
export async function teardown(): Promise<void> {
	if (isQuick) return;
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
	const recordings = await Promise.all(
		files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as Recording),
	);
	await writeFile(join(folder, '..', 'RESULTS.md'), page(recordings));
}

function page(recordings: readonly Recording[]): string {
	return [
		'# How fast',
		'Each figure is the median of its rounds; the contenders take turns, so that whatever else the machine does affects them all alike. Each part was measured at the commit that is named there. `npm run bench` measures everything again and writes this page, `npm run bench -- <name>` one part. The service is the sandbox, on the same machine. “plain undici” is a program of a few lines without n8n: what the network and the service take anyway.',
		...recordings.flatMap(section),
		'',
	].join('\n\n');
}

function section({
	name,
	title,
	commit,
	machine: { processors, node, n8n },
	load,
	figures,
}: Recording): string[] {
	return [
		`## ${title}`,
		`\`npm run bench -- ${name}\` at commit ${commit}, on ${processors}, Node ${node}, n8n ${n8n}, at a load of ${tidy(load)}.`,
		table(
			['', 'Contender', 'Median', 'Range', 'What it means for you'],
			figures.flatMap((figure) =>
				contenderRows(figure).map((row, index) =>
					index === 0 ? [figure.what, ...row, figure.meaning ?? ''] : ['', ...row, ''],
				),
			),
		),
		...new Set(figures.flatMap(({ note }) => note ?? [])),
	];
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
function verdicts({ contenders, targets }: Figure): string[] {
	return targets.map(
		({ of = OURS, against, isDifference = false, atMost = Infinity, atLeast = -Infinity }) => {
			const theirs = against === undefined ? undefined : contenders[against];
			const values = (contenders[of] ?? []).map((value, round) => {
				const other = theirs?.[round];
				return other === undefined ? value : isDifference ? value - other : value / other;
			});
			const reached = median(values);
			const bound = atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
			const words =
				against === undefined ? '' : isDifference ? ` more than ${against}` : ` × ${against}`;
			return `  → ${of}: ${tidy(reached)}${words}, target ${bound}: ${reached <= atMost && reached >= atLeast ? 'met' : MISSED}`;
		},
	);
}

/** A number with three digits that matter. */
function tidy(value: number): string {
	if (value === 0) return '0';
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return Number(value.toFixed(Math.min(digits, 3))).toLocaleString('en-US', {
		maximumFractionDigits: 3,
	});
}

function rounded(_name: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	return [heads, heads.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
