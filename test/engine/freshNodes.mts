import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeType } from 'n8n-workflow';

import { LEGAL_AI, LEGAL_AI_TRIGGER } from '../support/engine/engine.mts';
import { projectFolder } from '../../harness/installedPackage.mts';

/** Loaded by Node itself, so that what it has compiled serves all test files of a worker. */
const { loadAnew } = createRequire(import.meta.url)('./loadAnew.cjs') as {
	loadAnew: (path: string, loaded: Map<string, object>) => Record<string, new () => INodeType>;
};

/** The package's nodes with their modules loaded anew, as in a process that has just started: nothing is cached. */
export function freshNodes(): Record<string, INodeType> {
	const loaded = new Map<string, object>();
	const node = (name: string): INodeType => {
		const Node = loadAnew(join(projectFolder, 'nodes', 'LegalAi', `${name}.node.ts`), loaded)[name];
		if (Node === undefined) throw new Error(`There is no node ${name}`);
		return new Node();
	};
	return { [LEGAL_AI]: node('LegalAi'), [LEGAL_AI_TRIGGER]: node('LegalAiTrigger') };
}
