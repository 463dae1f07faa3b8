import { parse, View } from 'vega';
import { compile } from 'vega-lite';

import type { Curve } from './results.mts';

/** Draws a curve as SVG, both axes logarithmic: what grows as the work does is a straight line, one decade a decade. */
export async function plot({ what, x, y, points }: Curve): Promise<string> {
	const { spec } = compile({
		title: what,
		width: 480,
		height: 300,
		background: 'white',
		data: { values: [...points] },
		mark: { type: 'line', point: true },
		encoding: {
			x: { field: 'x', type: 'quantitative', title: x, scale: { type: 'log' } },
			y: { field: 'y', type: 'quantitative', title: y, scale: { type: 'log' } },
			color: { field: 'contender', type: 'nominal', title: null, legend: { labelLimit: 0 } },
			shape: { field: 'contender', type: 'nominal', title: null, legend: { labelLimit: 0 } },
		},
	});
	return await new View(parse(spec), { renderer: 'none' }).toSVG();
}
