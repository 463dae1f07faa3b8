import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { type Figure, type Measurement, readMeasurements, type Spread } from './figures.mts';
import { tidy } from './numbers.mts';
import { plots, renderPlot, themeNames } from './plots.mts';

/** The page and its plots, each file's text by its path below `bench/`. */
export async function reportFiles() {
	const measurements = await readMeasurements();
	const files = new Map([['RESULTS.md', page(measurements)]]);
	for (const plot of plots)
		for (const theme of themeNames)
			files.set(`plots/${plot.name}-${theme}.svg`, await renderPlot(plot, measurements, theme));
	return files;
}

/** Writes the page and its plots from the figures that the benches have kept. */
export async function writeReport() {
	for (const [path, text] of await reportFiles())
		await writeFile(fileURLToPath(new URL(`../${path}`, import.meta.url)), text);
}

const INTRODUCTION = `# What was measured

The bars show medians, the lines in them the range of all rounds. Shorter is better.

${plots.map(picture).join('\n\n')}

“HTTP Request”, “Wait node” and “Webhook node” are the same thing built by hand with n8n's own nodes. “plain undici” is a program of a few lines without n8n: it
shows what the network and the service take anyway. The service is the sandbox, on the same machine.

The contenders take turns, so that whatever else the machine does affects them all alike. Each part names the commit that it was measured at.
\`npm run bench\` measures everything again, \`npm run bench -- <name>\` one part. Both write the figures to \`bench/figures/\`, and this page and its plots from
them.`;

function picture({ name, description }: (typeof plots)[number]) {
	return [
		`<picture><source media="(prefers-color-scheme: dark)" srcset="plots/${name}-dark.svg">`,
		`<img src="plots/${name}-light.svg" alt="${description}"></picture>`,
	].join('\n');
}

function page(measurements: readonly Measurement[]) {
	return `${[INTRODUCTION, ...measurements.map(section)].join('\n\n')}\n`;
}

function section({ name, title, commit, processors, node, n8n, load, figures }: Measurement) {
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
	].join('\n\n');
}

/** Each contender's name, median and range. */
export function contenderRows({ contenders, unit }: Figure) {
	return Object.entries(contenders).map(([name, spread]) => [
		name,
		`${tidy(spread.median)} ${unit}`,
		range(spread),
	]);
}

function range({ least, most, rounds }: Spread) {
	return rounds > 1 ? `${tidy(least)} to ${tidy(most)}` : 'one run';
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]) {
	return [heads, heads.map(() => '---'), ...rows]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}
