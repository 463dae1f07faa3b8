import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';

import { afterAll } from 'vitest';

import { type Machine, machine } from './machine.mts';
import { isQuick, median, type Samples } from './rounds.mts';

/** How this package, and the program without n8n, are called among the contenders. */
export const OURS = 'Legal AI';
export const PLAIN = 'plain undici';
/** A community node of some ten lines that only passes on what comes: what n8n takes for any such node. */
export const LEAST = 'least community node';

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

/** One line of the table: the same thing measured for each contender. */
export interface Figure {
	readonly what: string;
	readonly unit: string;
	readonly contenders: Readonly<Record<string, Samples | readonly number[]>>;
	readonly targets: readonly Target[];
	/** What a reader has to know about how it was measured. */
	readonly note?: string;
}

/** How something grows with an amount, for each contender. */
export interface Curve {
	readonly what: string;
	readonly x: string;
	readonly y: string;
	readonly points: readonly { readonly contender: string; readonly x: number; readonly y: number }[];
}

/** What one bench has found, as it is kept beside the table. */
export interface Recording {
	readonly name: string;
	readonly title: string;
	/** What `npm run` takes it with; `bench` where nothing is said. */
	readonly script?: 'bench' | 'soak';
	readonly machine: Machine;
	/** How many processes wanted a processor, on average over the minutes before the end: above their number, times are too long. */
	readonly load: number;
	readonly figures: readonly Figure[];
	readonly curves: readonly Curve[];
}

export const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

/** Collects what a bench finds, prints it, and records it when the bench is over. */
export function resultsOf(name: string, title: string, script?: Recording['script']): { figure: (figure: Figure) => void; curve: (curve: Curve) => void } {
	const figures: Figure[] = [];
	const curves: Curve[] = [];
	afterAll(async () => {
		if (isQuick || figures.length + curves.length === 0) return;
		await mkdir(resultsFolder, { recursive: true });
		const recording: Recording = { name, title, ...(script && { script }), machine: machine(), load: loadavg()[1] ?? 0, figures, curves };
		await writeFile(`${resultsFolder}/${name}.json`, `${JSON.stringify(recording, rounded, '\t')}\n`);
	});
	return {
		figure: (figure) => {
			figures.push(figure);
			console.log(print(figure));
		},
		curve: (curve) => {
			curves.push(curve);
			console.log(`${curve.what}: ${curve.points.map(({ contender, x, y }) => `${contender} ${x} → ${tidy(y)}`).join(', ')}`);
		},
	};
}

/** The values that a contender was measured at. */
export function valuesOf(figure: Figure, contender: string): readonly number[] {
	const samples = figure.contenders[contender] ?? [];
	return isList(samples) ? samples : samples.values;
}

/** The share of the time in which the bench and its sandbox were at work, where that was looked at. */
export function busyOf(figure: Figure, contender: string): number | undefined {
	const samples = figure.contenders[contender];
	return samples === undefined || isList(samples) || samples.busy.length === 0 ? undefined : median(samples.busy);
}

/** What a target is compared with: the median, or the median of the rounds' ratios (or differences). */
export function reached(figure: Figure, { of = OURS, against, isDifference }: Target): number {
	const ours = valuesOf(figure, of);
	if (against === undefined) return median(ours);
	const theirs = valuesOf(figure, against);
	const compare = (one: number, other: number): number => (isDifference === true ? one - other : one / other);
	return median(ours.map((value, round) => compare(value, theirs[round] ?? Number.NaN)));
}

/** A comparison in words, e.g. `0.98 × Wait`. */
export function compared(figure: Figure, target: Target): string {
	const { of = OURS, against, isDifference } = target;
	const value = tidy(reached(figure, target));
	const words = against === undefined ? `${value} ${figure.unit}` : isDifference === true ? `${value} ${figure.unit} more than ${against}` : `${value} × ${against}`;
	return of === OURS ? words : `${of}: ${words}`;
}

/** What a comparison is to reach, in words. */
export function bound({ unit }: Figure, { against, isDifference, atMost, atLeast }: Target): string {
	const [words, value] = atMost === undefined ? ['at least', atLeast] : ['at most', atMost];
	return `${words} ${value ?? ''} ${against === undefined || isDifference === true ? unit : '×'}`;
}

/** Whether a target is met. */
export function isMet(figure: Figure, target: Target): boolean {
	const value = reached(figure, target);
	return value <= (target.atMost ?? Infinity) && value >= (target.atLeast ?? -Infinity);
}

/** A number with three digits that matter. */
export function tidy(value: number): string {
	if (value === 0) return '0';
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return Number(value.toFixed(Math.min(digits, 3))).toLocaleString('en-US', { maximumFractionDigits: 3 });
}

function isList(samples: Figure['contenders'][string]): samples is readonly number[] {
	return Array.isArray(samples);
}

function print(figure: Figure): string {
	const contenders = Object.keys(figure.contenders).map((name) => {
		const busy = busyOf(figure, name);
		const share = busy === undefined ? '' : ` (sandbox busy ${tidy(busy * 100)} %)`;
		return `  ${name}: ${tidy(median(valuesOf(figure, name)))} ${figure.unit}${share}`;
	});
	const targets = figure.targets.map((target) => {
		return `  → ${compared(figure, target)}, target ${bound(figure, target)}: ${isMet(figure, target) ? 'met' : 'MISSED'}`;
	});
	return [figure.what, ...contenders, ...targets].join('\n');
}

function rounded(_name: string, value: unknown): unknown {
	return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
