import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { plot } from './plot.mts';
import { bound, busyOf, compared, type Figure, isMet, type Recording, resultsFolder, tidy, valuesOf } from './results.mts';
import { isQuick, median } from './rounds.mts';

/** When the benches are over: draws every curve, and writes the table anew from all that is recorded. */
export async function teardown(): Promise<void> {
	if (isQuick) return;
	const recordings = await readRecordings();
	for (const { name, curves } of recordings) {
		for (const [index, curve] of curves.entries()) await writeFile(plotFile(name, index), await plot(curve));
	}
	await writeFile(join(resultsFolder, '..', 'RESULTS.md'), results(recordings));
}

async function readRecordings(): Promise<Recording[]> {
	const files = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (file) => JSON.parse(await readFile(join(resultsFolder, file), 'utf8')) as Recording),
	);
}

function plotFile(name: string, index: number): string {
	return join(resultsFolder, `${name}-${index + 1}.svg`);
}

function results(recordings: readonly Recording[]): string {
	const machines = new Map(recordings.map(({ machine }) => [JSON.stringify(machine), machine]));
	return [
		'# How fast',
		'Every figure is the median of its rounds (5 where nothing else is said). The contenders take turns in one run, each as often as the others; a ratio is the median of the rounds’ ratios. `npm run bench` measures everything again and writes this page, `npm run bench -- <name>` one part; the raw figures are in `results/`.',
		'The sandbox service runs in the process of the bench, n8n and the plain programs in processes of their own. “Sandbox busy” is the share of the time in which the sandbox and the bench together were at work: while it is low, the sandbox is not what limits. The plain program’s figure is a second check: the same sandbox answers it far faster.',
		[...machines.values()].map(({ processors, memory, system, node, n8n }) => `Measured on ${processors}, ${memory}, ${system}, Node ${node}, n8n ${n8n}.`).join('\n'),
		'## Targets',
		targetTable(recordings),
		...recordings.flatMap(section),
		'',
	].join('\n\n');
}

function targetTable(recordings: readonly Recording[]): string {
	const rows = recordings.flatMap(({ figures }) =>
		figures.flatMap((figure) => figure.targets.map((target) => [figure.what, compared(figure, target), bound(figure, target), isMet(figure, target) ? 'met' : '**missed**'])),
	);
	return table(['Measurement', 'Measured', 'Target', ''], rows);
}

function section({ name, title, script = 'bench', machine, load, figures, curves }: Recording): string[] {
	return [
		`## ${title}`,
		`\`npm run ${script} -- ${name}\` on ${machine.processors}, at a load of ${tidy(load)} on the whole machine.`,
		...figures.flatMap((figure) => [`**${figure.what}**${figure.note === undefined ? '' : ` ${figure.note}`}`, contenderTable(figure)]),
		...curves.map(({ what }, index) => `![${what}](results/${name}-${index + 1}.svg)`),
	];
}

function contenderTable(figure: Figure): string {
	const names = Object.keys(figure.contenders);
	const isTimed = names.some((name) => busyOf(figure, name) !== undefined);
	const rows = names.map((name) => {
		const values = valuesOf(figure, name);
		const busy = busyOf(figure, name);
		const range = values.length > 1 ? `${tidy(Math.min(...values))} to ${tidy(Math.max(...values))}` : 'one run';
		return [name, `${tidy(median(values))} ${figure.unit}`, range, ...(isTimed ? [busy === undefined ? '' : `${tidy(busy * 100)} %`] : [])];
	});
	return table(['Contender', 'Median', 'Range', ...(isTimed ? ['Sandbox busy'] : [])], rows);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
	return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
