import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';

import { runNode, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { questions } from '../wait/waking.mts';
import { ASK, CHECK, ended, inFastTime } from './waits.mts';

vi.setConfig({ testTimeout: 30_000 });

const sandbox = await sandboxOfFile({ newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });

const question = { resource: 'question', question: '={{ $json.words ?? "May we sign?" }}' };

const run = async (parameters: INodeParameters, items = questions(1)): Promise<NodeRun> =>
	await inFastTime(async (n8n) => await ended(await runNode({ sandbox, n8n, parameters: { ...question, ...parameters }, items })));

const withStatus =
	(status: string) =>
	(body: string): string =>
		JSON.stringify({ ...(JSON.parse(body) as object), status, answer: null });

describe('a status of a question that the specification does not name', () => {
	test('is waited out', async () => {
		sandbox.faults.add({ kind: 'body', body: withStatus('queued'), match: ASK });
		sandbox.faults.add({ kind: 'body', body: withStatus('reviewing'), match: CHECK, times: 4 });
		const { json, hints } = await run({ operation: 'askAndWait', options: { waitUsing: 'polling' } });
		expect(json).toMatchObject([{ status: 'completed', answer: expect.any(String) as string }]);
		expect(hints).toEqual([]);
	});

	test('is output as it is, and a hint says so', async () => {
		sandbox.faults.add({ kind: 'body', body: withStatus('queued'), match: ASK });
		const { json, hints } = await run({ operation: 'ask' });
		expect(json).toMatchObject([{ status: 'queued', answer: null }]);
		expect(hints.join()).toContain('status of a question is "queued", which this node does not know');
	});
});

describe('a synchronous question that is turned down', () => {
	const sync: INodeParameters = { operation: 'askAndWait', options: { waitUsing: 'sync' } };
	const body = { error_code: 'sync_timeout', message: 'Not done within 30 seconds' };

	test.each([400, 409, 422])('with %i once its 30 seconds are over may have been accepted', async (status) => {
		sandbox.faults.add({ kind: 'latency', ms: 30_000, match: ASK });
		sandbox.faults.add({ kind: 'status', status, body, match: ASK });
		const { error } = await run(sync);
		expect(error?.message).toBe(`The service did not respond in time (${status}): Not done within 30 seconds [item 0]`);
		expect(error?.description).toContain('may still have accepted the question');
		expect(sandbox.requests).toHaveLength(1);
	});

	test('at once was not accepted', async () => {
		sandbox.faults.add({ kind: 'status', status: 400, body, match: ASK });
		const { error } = await run(sync);
		expect(error?.message).toBe('The service did not accept the request (400): Not done within 30 seconds [item 0]');
		expect(error?.description).not.toContain('may still have');
	});
});

describe('a session that was to be continued', () => {
	const asking = async (sessionId: unknown): Promise<NodeRun> =>
		await run({ operation: 'ask', additionalFields: { sessionId } as INodeParameters });

	const empty = ['={{ $json.nothing }}', '={{ null }}', '={{ "" }}', '={{ "  " }}', ''];

	test.each(empty)('and is "%s" opens a new one, and says so', async (sessionId) => {
		const { json, hints } = await asking(sessionId);
		expect(json).toMatchObject([{ session_id: expect.any(String) as string }]);
		expect(hints).toEqual([expect.stringContaining('"Session ID" was empty for one item, so its question opened') as string]);
	});

	test('says so too once the question that was waited for is answered', async () => {
		const { json, hints } = await run({
			operation: 'askAndWait',
			options: { waitUsing: 'polling' },
			additionalFields: { sessionId: '={{ $json.nothing }}' },
		}, questions(2));
		expect(json.map(({ status }) => status)).toEqual(['completed', 'completed']);
		expect(hints).toEqual([expect.stringContaining('empty for 2 items') as string]);
	});

	test('and is named, or was never meant, needs no words', async () => {
		const { json } = await run({ operation: 'ask', additionalFields: {} });
		await sandbox.complete(json[0]?.id as string);
		const { hints } = await asking(json[0]?.session_id);
		expect(hints).toEqual([]);
		expect(sandbox.questions).toMatchObject([{}, { followUp: true }]);
	});
});
