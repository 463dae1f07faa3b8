import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeEach, expect, test } from 'vitest';

import { Trace } from '../../nodes/LegalAi/execution/trace.ts';
import { startSandbox } from '../sandbox/sandbox.mts';
import { NODE, runNode, type NodeRun, type NodeRunOptions } from '../support/engine/engine.mts';
import { answerTo, deliver, listening } from './trigger/listening.mts';

const sandbox = await startSandbox({ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity });
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const ask = async (parameters: INodeParameters = {}, options: Partial<NodeRunOptions> = {}): Promise<NodeRun> =>
	await runNode({ sandbox, parameters: { resource: 'question', operation: 'ask', question: 'May we sign?', ...parameters }, ...options });

const tracingOf = ({ execution }: NodeRun): unknown => execution.task(NODE)?.metadata?.tracing;
const idsOf = (name: 'id' | 'sessionId'): string => sandbox.questions.slice(0, 20).map((question) => question[name]).join(',');

test('the question and its session can be found by the span of the node', async () => {
	const node = { customTelemetryTags: { tag: [{ key: 'team', value: 'procurement' }] } };
	const run = await ask({}, { node });
	expect(tracingOf(run)).toEqual({
		team: 'procurement',
		'legal_ai.question_id': run.json[0]?.id,
		'legal_ai.session_id': run.json[0]?.session_id,
	});
});

test('several questions are named one after the other, up to twenty', async () => {
	const run = await ask({ options: { requestsAtOnce: 1 } }, { items: Array.from({ length: 25 }, () => ({ json: {} })) });
	expect(run.items).toHaveLength(25);
	expect(tracingOf(run)).toEqual({ 'legal_ai.question_id': idsOf('id'), 'legal_ai.session_id': idsOf('sessionId') });
});

test('a question that the service could not answer is named, although its item fails', async () => {
	const run = await ask(
		{ operation: 'askAndWait', question: '[error] [now]', options: { waitUsing: 'sync', onErrorStatus: 'fail' } },
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(run.json[0]).toHaveProperty('error');
	expect(tracingOf(run)).toEqual({ 'legal_ai.question_id': idsOf('id'), 'legal_ai.session_id': idsOf('sessionId') });
});

test('whatever is not about a question leaves the span as it is', async () => {
	const run = await ask({ resource: 'user', operation: 'get' });
	expect(tracingOf(run)).toBeUndefined();
});

test('the trigger names the question whose answer started the workflow', async () => {
	const { url, waitForExecution } = await listening({ sandbox });
	await deliver(sandbox, url, answerTo('q-1', { session_id: null }));
	const execution = await waitForExecution();
	expect(execution.task(NODE)?.metadata?.tracing).toEqual({ 'legal_ai.question_id': 'q-1' });
});

test('an n8n that writes no traces is given none', () => {
	const trace = new Trace();
	trace.add({ id: 'q-1', session_id: null });
	expect(() => {
		trace.writeTo({});
	}).not.toThrow();
});
