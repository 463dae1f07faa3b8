import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { hasNode } from '../../../nodes/LegalAi/execution/workflowNodes.ts';

/** Whether a trigger of this package is seen in a workflow that n8n keeps like this. */
function hasTrigger(workflow: unknown): boolean | undefined {
	return hasNode({ workflow } as unknown as IExecuteFunctions, 'legalAiTrigger');
}

const TRIGGER = { type: 'n8n-nodes-legal-ai.legalAiTrigger' };
const OTHER = { type: 'n8n-nodes-base.set' };

test.each<[of: string, node: unknown, isSeen: boolean]>([
	['one that is turned on', TRIGGER, true],
	['one that says so', { ...TRIGGER, disabled: false }, true],
	['one that is turned off', { ...TRIGGER, disabled: true }, false],
	['a node of another type', OTHER, false],
	['a node whose type ends alike', { type: 'n8n-nodes-base.notLegalAiTrigger' }, false],
	['a type of another package that begins alike', { type: '.legalAiTrigger.set' }, false],
	['a node without a type', {}, false],
	['a node whose type is no text', { type: 7 }, false],
	['what is no node', null, false],
])('of %s in a workflow, beside others, it is told whether it is that node', (_of, node, isSeen) => {
	expect(hasTrigger({ nodes: { 'First': OTHER, 'The one': node, 'Last': OTHER } })).toBe(isSeen);
});

test.each([[undefined], [null], [{}], [{ nodes: null }], [{ nodes: [] }]])('nothing is told of the nodes of the workflow %j', (workflow) => {
	expect(hasTrigger(workflow)).toBeUndefined();
});
