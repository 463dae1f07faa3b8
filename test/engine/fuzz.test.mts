import { inspect } from 'node:util';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Route } from '../sandbox/requests.mts';
import { runNode, type NodeRun } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity, answerTime: [0, 0] }, 400);

const RUNS = 60;
const SIGNED = 'https://files.example.com/nda.pdf?expires=1&signature=s3cr3t-signature';
const SECRETS = [sandbox.apiKey, sandbox.webhookSecret, 's3cr3t-signature'];

/** Text that somebody may send, with what nobody should read slipped in. */
const text = fc.oneof(
	fc.string(),
	fc.constantFrom('constructor', '__proto__', 'toString', '', '0', 'null', 'undefined', SIGNED),
	fc.string().map((words) => `${words} ${sandbox.apiKey} ${SIGNED} ${words}`),
);

const value: fc.Arbitrary<unknown> = fc.oneof(
	text,
	fc.jsonValue(),
	fc.constantFrom(null, true, -1, 1e300, [], {}, [null], [[]], [{}]),
	fc.dictionary(fc.constantFrom('id', 'error_code', 'message', 'data', 'task', 'next', 'url', '__proto__'), fc.jsonValue()),
);

/** A record whose known fields are right, wrong, or missing. */
const record = (fields: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
	fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, fc.string()), value, { maxKeys: 12 });

const known = fc.record({ status: fc.constantFrom('completed', 'error', 'filtered', 'lost', null), id: text });
const question = fc
	.tuple(record(['id', 'session_id', 'session_url', 'status', 'answer', 'attachments', 'reason', 'error_code']), known)
	.map(([fields, right]) => ({ ...fields, ...right }));

const task = record(['id', 'title', 'status', 'task', 'data', 'error_code', 'assignees', 'tags']);

const page = fc.oneof(
	record(['tasks', 'data', 'items', 'results', 'next_cursor', 'next', 'cursor', 'has_more', 'pagination', 'meta']),
	fc.array(record(['id', 'title'])),
	fc.record({ tasks: fc.array(record(['id', 'title', 'status'])), next_cursor: fc.option(text) }),
);

const headers = fc.dictionary(
	fc.constantFrom('retry-after', 'content-type', 'location', 'date', 'x-request-id', 'www-authenticate'),
	fc.stringMatching(/^[a-cX-Z0-9 ,:;=/"-]{0,30}$/),
);

const user = { resource: 'user', operation: 'get' };
const ask = { resource: 'question', operation: 'ask', question: 'Is the cap usual?' };
const get = { resource: 'question', operation: 'get', questionId: 'q' };

/** Runs the node, and holds what came of it against what must always hold. */
async function holds(parameters: Record<string, string>): Promise<NodeRun> {
	const run = await runNode({ sandbox, parameters });
	expect(['success', 'error']).toContain(run.status);
	if (run.status === 'error') {
		expect(['NodeApiError', 'NodeOperationError']).toContain(run.error?.name);
		expect(run.error?.message).toMatch(/\[item 0\]$/);
		expect(run.error?.message).not.toMatch(/^undefined|it was not made for/);
		expect(run.error?.description).toBeTruthy();
		for (const secret of SECRETS) expect(inspect(run.error, { depth: Infinity })).not.toContain(secret);
	}
	return run;
}

async function everyAnswer<Given>(given: fc.Arbitrary<Given>, check: (given: Given) => Promise<unknown>): Promise<void> {
	const property = fc.asyncProperty(given, async (each) => {
		await sandbox.reset();
		await check(each);
	});
	await fc.assert(property, { numRuns: RUNS });
}

describe('whatever the service answers, nothing crashes, hangs or leaks:', { timeout: 60_000 }, () => {
	test.each<[what: string, given: fc.Arbitrary<unknown>, route: Route, parameters: Record<string, string>]>([
		['any JSON', fc.oneof(value, record(['error_code', 'message', 'error', 'user_id'])), 'GET /me', user],
		['any Question, when it is asked', question, 'POST /assistants/:assistant_id/questions', ask],
		['any Question, when it is checked', question, 'GET /assistants/:assistant_id/questions/:question_id', get],
		['any page of tasks', page, 'GET /tasks', { resource: 'task', operation: 'getAll' }],
		['any task', task, 'POST /tasks', { resource: 'task', operation: 'create', title: 'Review NDA' }],
		['any list of assistants', fc.oneof(page, value), 'GET /assistants', { resource: 'assistant', operation: 'getAll' }],
	])('%s', async (_what, given, route, parameters) => {
		await everyAnswer(given, async (body) => {
			sandbox.faults.add({ kind: 'body', body: JSON.stringify(body), match: route, times: Infinity });
			await holds(parameters);
			if (route.startsWith('POST')) expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
		});
	});

	test('any status with any headers and any body', async () => {
		const body = fc.oneof(value, record(['error_code', 'svc_api_error_code', 'message', 'error', 'status']), text);
		await everyAnswer(fc.tuple(fc.integer({ min: 200, max: 599 }), headers, body), async ([status, sent, given]) => {
			sandbox.faults.add({ kind: 'status', status, headers: sent, body: given, times: Infinity });
			await holds(user);
		});
	});
});
