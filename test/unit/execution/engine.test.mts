import type { IExecuteFunctions } from 'n8n-workflow';

import { findExecutionState } from '../../../nodes/LegalAi/execution/engine.ts';

/* What the node finds of an execution in an n8n that keeps it in another way. What n8n really keeps: test/e2e/assumptions.test.mts. */

const whole = {
	executionData: { contextData: {}, nodeExecutionStack: [] },
	resultData: { runData: {} },
};

function find(runExecutionData: unknown) {
	const context: unknown = { runExecutionData };
	return findExecutionState(context as IExecuteFunctions);
}

test('the state of an execution is what n8n keeps of it', () => {
	expect(find(whole)).toBe(whole);
});

test.each([
	['nothing', undefined],
	['no data', { resultData: whole.resultData }],
	['no stack', { ...whole, executionData: { contextData: {} } }],
	[
		'a stack that is no list',
		{ ...whole, executionData: { contextData: {}, nodeExecutionStack: {} } },
	],
	['no contexts', { ...whole, executionData: { nodeExecutionStack: [] } }],
	['no results', { executionData: whole.executionData }],
	['no runs', { ...whole, resultData: {} }],
])('if n8n keeps %s there, it is not known', (_, kept) => {
	expect(find(kept)).toBeUndefined();
});
