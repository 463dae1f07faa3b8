import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How this package, and the program without n8n, are called among the contenders. */
export const OURS = 'Legal AI';
export const PLAIN = 'plain undici';

/** What the rounds of one contender gave, in the figure's unit. */
export interface Spread {
	median: number;
	least: number;
	most: number;
	rounds: number;
}

/** The same thing measured for each contender. */
export interface Figure {
	what: string;
	unit: string;
	contenders: Readonly<Record<string, Spread>>;
	/** What it means for a user. */
	meaning?: string;
	/** What a reader has to know about how it was measured. */
	note?: string;
}

/** All that one bench measured, and on what. */
export interface Measurement {
	/** Its name in `npm run bench -- <name>`. */
	name: string;
	title: string;
	commit: string;
	processors: string;
	node: string;
	n8n: string;
	/** How many processes wanted a processor meanwhile: above the number of processors, times are too long. */
	load: number;
	figures: readonly Figure[];
}

const folder = fileURLToPath(new URL('../figures', import.meta.url));

/** What each bench measured last, by title. */
export async function readMeasurements() {
	const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
	const texts = await Promise.all(
		files.map(async (file) => await readFile(join(folder, file), 'utf8')),
	);
	return texts
		.map((text) => JSON.parse(text) as Measurement)
		.sort((one, other) => (one.title < other.title ? -1 : 1));
}

/** Replaces what this bench measured before. */
export async function writeMeasurement(measurement: Measurement) {
	const text = JSON.stringify(measurement, undefined, '\t');
	await writeFile(join(folder, `${measurement.name}.json`), `${text}\n`);
}
