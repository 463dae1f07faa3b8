import { expect, test } from 'vitest';

import { callback } from '../../../nodes/LegalAi/resources/question/callback.ts';
import { complaintAbout, read } from '../parameters/reading.mts';

test.each([
	' wx7Yk2Lq ',
	'https://n8n.example.com/workflow/wx7Yk2Lq',
	'https://example.com/n8n/workflow/wx7Yk2Lq/executions/12',
	'https://n8n.example.com/workflow/wx7Yk2Lq?projectId=1#node',
])('another workflow is known by its ID or its address: %s', (callbackWorkflow) => {
	expect(read(callback, 'workflow', { callbackWorkflow })).toEqual({ kind: 'workflow', workflowId: 'wx7Yk2Lq' });
});

test('a workflow that is not named is asked for', () => {
	expect(complaintAbout(callback, 'workflow', { callbackWorkflow: ' ' })).toBe('"Workflow" is empty');
});
