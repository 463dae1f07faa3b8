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

// What n8n 2's editor draws.
const NODE = 96;
const SUB_NODE = 80;
const ROOT_NODE_WIDTH = 224;
/** A sub-node that has sub-nodes of its own. */
const GATE_WIDTH = 240;
const LABEL_WIDTH = 176;
const LABEL_HEIGHT = 52;
/** Where the parts of a workflow lie. */
export class Canvas {
	private readonly wires: readonly Wire[];
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

	private boxOf(node: INode): Box {
		const [x, y] = node.position;
		const { width, height }: Readonly<Record<string, unknown>> = node.parameters;
		if (node.type === STICKY) return { x, y, width: Number(width), height: Number(height) };
		if (this.isSubNode(node)) return { x, y, width: this.hasSubNodes(node) ? GATE_WIDTH : SUB_NODE, height: SUB_NODE };
		const handles = Math.max(this.outputsOf(node), this.inputsOf(node));
		return { x, y, width: this.isRoot(node) ? ROOT_NODE_WIDTH : NODE, height: NODE + Math.max(0, handles - 2) * 32 };
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
