import { parse, resetSVGDefIds, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

import { type Figure, type Measurement, OURS } from './figures.mts';
import { tidy } from './numbers.mts';

/** Figures of one kind, below one another. */
interface Plot {
	name: string;
	/** What a reader who does not see it is told. */
	description: string;
	benches: readonly string[];
	unit: string;
}

export const plots: readonly Plot[] = [
	{
		name: 'time',
		description: 'Time of Legal AI beside the HTTP Request node and a program without n8n',
		benches: ['batch', 'tasks'],
		unit: 'ms',
	},
	{
		name: 'requests',
		description: 'Requests per answer, of Legal AI and of a loop that checks every 30 seconds',
		benches: ['requests'],
		unit: 'requests',
	},
	{
		name: 'memory',
		description: 'Growth of n8n’s memory with Legal AI and with the HTTP Request node',
		benches: ['files', 'tasks'],
		unit: 'MB',
	},
	{
		name: 'callbacks',
		description: 'Processor time of a callback, of Legal AI and of n8n’s own nodes',
		benches: ['callbacks'],
		unit: 'ms',
	},
];

/** GitHub's own colors of text and lines; bars that can be told apart on either ground. */
const themes = {
	light: { text: '#1f2328', faint: '#d1d9e0', ours: '#0969da', others: '#8c959f' },
	dark: { text: '#f0f6fc', faint: '#3d444d', ours: '#4493f8', others: '#656c76' },
};
export type Theme = keyof typeof themes;
export const themeNames = Object.keys(themes) as Theme[];

/** A plot as SVG, on a transparent ground. */
export async function renderPlot(
	{ benches, description, unit }: Plot,
	measurements: readonly Measurement[],
	theme: Theme,
) {
	const figures = measurements
		.filter(({ name }) => benches.includes(name))
		.flatMap((measurement) => measurement.figures)
		.filter((figure) => figure.unit === unit);
	const { spec } = compile({
		description,
		background: 'transparent',
		vconcat: figures.map((figure) => bars(figure, theme)),
		spacing: 56,
		bounds: 'flush',
		config: config(theme),
	} as TopLevelSpec);
	// Vega counts the parts of all plots of a process: without this, the files would depend on one another.
	resetSVGDefIds();
	return `${await new View(parse(spec), { renderer: 'none' }).toSVG()}\n`;
}

/** A bar for each contender: as long as its median, with a line from its least to its most. */
function bars({ what, unit, contenders }: Figure, theme: Theme) {
	const { ours, others, text } = themes[theme];
	const values = Object.entries(contenders).map(([contender, { median, least, most }]) => ({
		contender,
		median,
		least,
		most,
		label: `${tidy(median)} ${unit}`,
	}));
	return {
		title: what,
		width: 460,
		height: { step: 26 },
		data: { values },
		encoding: {
			y: {
				field: 'contender',
				type: 'nominal',
				sort: null,
				title: null,
			},
		},
		layer: [
			{
				mark: { type: 'bar', height: 16, cornerRadiusEnd: 2 },
				encoding: {
					x: { field: 'median', type: 'quantitative', axis: null },
					color: {
						condition: { test: `indexof(datum.contender, '${OURS}') === 0`, value: ours },
						value: others,
					},
				},
			},
			{
				mark: { type: 'rule', color: text, strokeWidth: 1.5 },
				encoding: { x: { field: 'least', type: 'quantitative' }, x2: { field: 'most' } },
			},
			{
				mark: { type: 'text', align: 'left', dx: 8, color: text },
				encoding: {
					x: { field: 'most', type: 'quantitative' },
					text: { field: 'label' },
				},
			},
		],
	};
}

function config(theme: Theme) {
	const { text, faint } = themes[theme];
	return {
		font: 'system-ui, -apple-system, "Segoe UI", sans-serif',
		axis: {
			labelColor: text,
			labelFontSize: 13,
			domainColor: faint,
			ticks: false,
			labelLimit: 400,
		},
		text: { fontSize: 13 },
		title: {
			anchor: 'start',
			frame: 'group',
			color: text,
			fontSize: 14,
			fontWeight: 600,
			offset: 8,
		},
		view: { stroke: null },
	};
}
