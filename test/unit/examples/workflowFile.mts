import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, INode } from 'n8n-workflow';

import { asRecord } from '../../../harness/unknownJson.mts';

/** A workflow as it stands in a file. */
export interface WorkflowFile {
	readonly file: string;
	readonly name: string;
	readonly nodes: readonly INode[];
	readonly connections: IConnections;
}

/** One wire: from an output of a node to an input of another, or of the same kind between a sub-node and its root. */
export interface Wire {
	readonly from: INode;
	readonly output: number;
	readonly to: INode;
	readonly input: number;
	readonly type: string;
}

export const examplesFolder = join(import.meta.dirname, '../../../examples');
export const STICKY = 'n8n-nodes-base.stickyNote';

/** The example workflows, by file name. */
export function readExamples(): WorkflowFile[] {
	const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json')).sort();
	return files.map((file) => {
		const content = asRecord(JSON.parse(readFileSync(join(examplesFolder, file), 'utf8')), file);
		return { ...(content as unknown as Omit<WorkflowFile, 'file'>), file };
	});
}

/** Every wire of a workflow; fails where one begins or ends at a node that is not there. */
export function wiresOf({ file, nodes, connections }: WorkflowFile): Wire[] {
	const find = (name: string): INode => {
		const node = nodes.find((candidate) => candidate.name === name);
		if (node === undefined) throw new Error(`${file} connects "${name}", which is not there`);
		return node;
	};
	return Object.entries(connections).flatMap(([from, byType]) =>
		Object.entries(byType).flatMap(([type, outputs]) =>
			outputs.flatMap((targets, output) =>
				(targets ?? []).map(({ node: to, index: input }) => ({ from: find(from), output, to: find(to), input, type })),
			),
		),
	);
}
