import type { INode } from 'n8n-workflow';

import { isRecord } from '../../../harness/unknownJson.mts';
import { STICKY, wiresOf, type Wire, type WorkflowFile } from './workflowFile.mts';

/** A rectangle on the canvas, in its pixels. */
export interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

type Point = readonly [x: number, y: number];

// What n8n 2's editor draws.
const NODE = 96;
const SUB_NODE = 80;
const ROOT_NODE_WIDTH = 224;
/** A sub-node that has sub-nodes of its own. */
const GATE_WIDTH = 240;
/** Where the wires of sub-nodes reach a root node, from its left edge. */
const ROOT_HANDLES: Readonly<Record<string, number>> = { ai_languageModel: 40, ai_memory: 136, ai_tool: 184 };
const GATE_HANDLE = 40;
const LABEL_WIDTH = 176;
const LABEL_HEIGHT = 52;
const STEPS = 40;
/** Wires that share an end come close to each other there. */
const NEAR_AN_END = 24;

/** Where the parts of a workflow lie. */
export class Canvas {
	readonly wires: readonly Wire[];
	private readonly nodes: readonly INode[];

	constructor(workflow: WorkflowFile) {
		this.wires = wiresOf(workflow);
		this.nodes = workflow.nodes;
	}

	/** The boxes that must not overlap: every node, its label, and every sticky note. */
	boxes(): [name: string, box: Box][] {
		return this.nodes.flatMap((node): [string, Box][] => {
			const box = this.boxOf(node);
			if (node.type === STICKY) return [[node.name, box]];
			const middle = box.x + box.width / 2;
			const label = { x: middle - LABEL_WIDTH / 2, y: box.y + box.height, width: LABEL_WIDTH, height: LABEL_HEIGHT };
			// A node with sub-nodes has its label inside it.
			return this.hasSubNodes(node) ? [[node.name, box]] : [[node.name, box], [`label of ${node.name}`, label]];
		});
	}

	/** The wire as the points of the curve that the editor draws. */
	curveOf(wire: Wire): readonly Point[] {
		const [start, end] = [this.startOf(wire), this.endOf(wire)];
		const isUpward = wire.type !== 'main';
		const half = isUpward ? (start[1] - end[1]) / 2 : (end[0] - start[0]) / 2;
		const first: Point = isUpward ? [start[0], start[1] - half] : [start[0] + half, start[1]];
		const second: Point = isUpward ? [end[0], end[1] + half] : [end[0] - half, end[1]];
		return Array.from({ length: STEPS + 1 }, (_, step) => cubic([start, first, second, end], step / STEPS));
	}

	/** Whether a wire runs against the reading direction. */
	isBackward(wire: Wire): boolean {
		const [start, end] = [this.startOf(wire), this.endOf(wire)];
		return wire.type === 'main' ? end[0] <= start[0] : end[1] >= start[1];
	}

	/** What a wire runs through, besides the nodes that it connects. */
	crossedBoxes(wire: Wire): string[] {
		const ends = [wire.from.name, wire.to.name].flatMap((name) => [name, `label of ${name}`]);
		const curve = this.curveOf(wire);
		return this.boxes().flatMap(([name, box]) =>
			!ends.includes(name) && curve.some((point) => isInside(point, box)) ? [name] : [],
		);
	}

	/** Whether two wires cross, other than near an end that they share. */
	cross(one: Wire, other: Wire): boolean {
		const shared = [
			...(one.from === other.from ? [this.startOf(one), this.startOf(other)] : []),
			...(one.to === other.to ? [this.endOf(one), this.endOf(other)] : []),
		];
		const [a, b] = [this.curveOf(one), this.curveOf(other)];
		return segments(a).some((left) =>
			segments(b).some((right) => {
				const met = meeting(left, right);
				return met !== undefined && !shared.some((end) => Math.hypot(met[0] - end[0], met[1] - end[1]) < NEAR_AN_END);
			}),
		);
	}

	private boxOf(node: INode): Box {
		const [x, y] = node.position;
		const { width, height }: Readonly<Record<string, unknown>> = node.parameters;
		if (node.type === STICKY) return { x, y, width: Number(width), height: Number(height) };
		if (this.isSubNode(node)) return { x, y, width: this.hasSubNodes(node) ? GATE_WIDTH : SUB_NODE, height: SUB_NODE };
		const handles = Math.max(this.outputsOf(node), this.inputsOf(node));
		return { x, y, width: this.isRoot(node) ? ROOT_NODE_WIDTH : NODE, height: NODE + Math.max(0, handles - 2) * 32 };
	}

	private startOf({ from, output, type }: Wire): Point {
		const { x, y, width, height } = this.boxOf(from);
		if (type !== 'main') return [x + width / 2, y];
		return [x + width, y + (height * (output + 1)) / (this.outputsOf(from) + 1)];
	}

	private endOf({ to, input, type }: Wire): Point {
		const { x, y, width, height } = this.boxOf(to);
		if (type === 'main') return [x, y + (height * (input + 1)) / (this.inputsOf(to) + 1)];
		return [x + (this.isSubNode(to) ? GATE_HANDLE : (ROOT_HANDLES[type] ?? width / 2)), y + height];
	}

	private isSubNode(node: INode): boolean {
		return this.wires.some(({ from, type }) => from === node && type !== 'main');
	}

	private isRoot(node: INode): boolean {
		return !this.isSubNode(node) && this.hasSubNodes(node);
	}

	private hasSubNodes(node: INode): boolean {
		return this.wires.some(({ to, type }) => to === node && type !== 'main');
	}

	private inputsOf(node: INode): number {
		return node.type === 'n8n-nodes-base.merge' ? 2 : 1;
	}

	private outputsOf({ type, parameters }: INode): number {
		if (type === 'n8n-nodes-base.if') return 2;
		if (type !== 'n8n-nodes-base.switch') return 1;
		const { rules, options }: Readonly<Record<string, unknown>> = parameters;
		const values = isRecord(rules) && Array.isArray(rules.values) ? rules.values.length : 0;
		return values + (isRecord(options) && options.fallbackOutput === 'extra' ? 1 : 0);
	}
}

/** Whether two boxes have more than an edge in common. */
export function overlap(one: Box, other: Box): boolean {
	const isApart = (a: Box, b: Box): boolean => a.x + a.width <= b.x || a.y + a.height <= b.y;
	return !isApart(one, other) && !isApart(other, one);
}

function isInside([x, y]: Point, box: Box): boolean {
	return x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
}

function cubic([a, b, c, d]: readonly [Point, Point, Point, Point], at: number): Point {
	const rest = 1 - at;
	const along = (axis: 0 | 1): number =>
		rest ** 3 * a[axis] + 3 * rest ** 2 * at * b[axis] + 3 * rest * at ** 2 * c[axis] + at ** 3 * d[axis];
	return [along(0), along(1)];
}

function segments(points: readonly Point[]): (readonly [Point, Point])[] {
	return points.slice(1).map((end, index) => [points[index] ?? end, end]);
}

/** The point in which two segments cross. */
function meeting([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): Point | undefined {
	const [rx, ry, sx, sy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
	const across = rx * sy - ry * sx;
	if (across === 0) return undefined;
	const t = ((c[0] - a[0]) * sy - (c[1] - a[1]) * sx) / across;
	const u = ((c[0] - a[0]) * ry - (c[1] - a[1]) * rx) / across;
	return t >= 0 && t <= 1 && u >= 0 && u <= 1 ? [a[0] + t * rx, a[1] + t * ry] : undefined;
}
