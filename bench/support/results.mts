import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

import { n8nVersion } from '../../harness/versions.mts';
import { type Figure, type Measurement, OURS, type Spread, writeMeasurement } from './figures.mts';
import { tidy } from './numbers.mts';
import { contenderRows, writeReport } from './report.mts';
import { isQuick, median } from './rounds.mts';

/** What a figure is to reach: for this package alone, or for its ratio (or difference) to another contender, round by round. */
export interface Target {
	against?: string;
	/** Whether it is how much more than the other, and not how many times as much. */
	isDifference?: boolean;
	atMost?: number;
	atLeast?: number;
}

/** A figure with what each round gave, and what it is to reach. */
interface MeasuredFigure extends Omit<Figure, 'contenders'> {
	contenders: Readonly<Record<string, readonly number[]>>;
	targets: readonly Target[];
}

const MISSED = 'MISSED';

/** Collects what a bench finds, prints it, and records it when the bench is over. */
export function openResults(
	name: string,
	title: string,
): { figure: (figure: MeasuredFigure) => void } {
	const measured: MeasuredFigure[] = [];
	afterAll(async () => {
		if (isQuick || measured.length === 0) return;
		await writeMeasurement({ name, title, ...circumstances(), figures: measured.map(recorded) });
		await writeReport();
		const missed = measured.filter((figure) =>
			verdicts(figure).some((verdict) => verdict.endsWith(MISSED)),
		);
		if (missed.length > 0)
			throw new Error(
				`Recorded, but ${missed.length} of its figures missed their targets: ${missed.map(({ what }) => what).join('; ')}`,
			);
	});
	return {
		figure: (figure) => {
			measured.push(figure);
			const rows = contenderRows(recorded(figure)).map((cells) => `  ${cells.join(': ')}`);
			console.log([figure.what, ...rows, ...verdicts(figure)].join('\n'));
		},
	};
}

/** What was measured, and on what. */
function circumstances(): Omit<Measurement, 'figures' | 'name' | 'title'> {
	return {
		commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
		processors: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
		node: process.version,
		n8n: n8nVersion,
		load: loadavg()[1] ?? 0,
	};
}

function recorded({ what, unit, contenders, meaning, note }: MeasuredFigure): Figure {
	const spreads = Object.entries(contenders).map(([name, values]): [string, Spread] => [
		name,
		{
			median: median(values),
			least: Math.min(...values),
			most: Math.max(...values),
			rounds: values.length,
		},
	]);
	return { what, unit, contenders: Object.fromEntries(spreads), meaning, note };
}

/** Whether the targets were reached: by the median, or by the median of the rounds' ratios (or differences). */
function verdicts({ contenders, targets }: MeasuredFigure) {
	return targets.map((target) => {
		const { atMost = Infinity, atLeast = -Infinity } = target;
		const reached = median(compare(contenders, target));
		const bound = atMost === Infinity ? `at least ${atLeast}` : `at most ${atMost}`;
		const verdict = reached <= atMost && reached >= atLeast ? 'met' : MISSED;
		return `  → ${OURS}: ${tidy(reached)}${comparison(target)}, target ${bound}: ${verdict}`;
	});
}

/** For each round, this package's value, or its ratio (or difference) to the other contender's. */
function compare(
	contenders: MeasuredFigure['contenders'],
	{ against, isDifference = false }: Target,
) {
	const own = contenders[OURS] ?? [];
	if (against === undefined) return own;
	const others = contenders[against] ?? [];
	return own.map((value, round) => {
		const other = others[round] ?? NaN;
		return isDifference ? value - other : value / other;
	});
}

function comparison({ against, isDifference = false }: Target) {
	if (against === undefined) return '';
	return isDifference ? ` more than ${against}` : ` × ${against}`;
}
