import { inspect } from 'node:util';

import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import type { Route } from '../sandbox/requests.mts';
import { type NodeRun, sandboxTest } from '../support/fixtures.mts';

const apiKey = 'sk-svc-api1-fuzz';
const webhookSecret = 'whsec-fuzz';

const test = sandboxTest({ answerTime: [0, 0], apiKey, webhookSecret }, 400);

const runs = { numRuns: 60 };
const SIGNED = 'https://files.example.com/nda.pdf?expires=1&signature=s3cr3t-signature';
const SECRETS = [apiKey, webhookSecret, 's3cr3t-signature'];

/** Text that somebody may send, with what nobody should read slipped in. */
const text = fc.oneof(
	fc.string(),
	fc.constantFrom('constructor', '__proto__', 'toString', '', '0', 'null', 'undefined', SIGNED),
	fc.string().map((words) => `${words} ${apiKey} ${SIGNED} ${words}`),
);

const value = fc.oneof(
	text,
	fc.jsonValue(),
	fc.constantFrom(null, true, -1, 1e300, [], {}, [null], [[]], [{}]),
	fc.dictionary(
		fc.constantFrom('id', 'error_code', 'message', 'data', 'task', 'next', 'url', '__proto__'),
		fc.jsonValue(),
	),
);

/** A record whose known fields are right, wrong, or missing. */
const record = (fields: string[]): fc.Arbitrary<Record<string, unknown>> =>
	fc.dictionary(
		fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fields) }, fc.string()),
		value,
		{ maxKeys: 12 },
	);

const question = fc
	.tuple(
		record([
			'session_id',
			'session_url',
			'answer',
			'attachments',
			'reason',
			'error_code',
			'assistant_id',
		]),
		fc.record({
			status: fc.constantFrom('completed', 'error', 'filtered', 'lost', null),
			id: fc.oneof({ weight: 4, arbitrary: fc.constant('q') }, text),
			answer: fc.oneof({ weight: 4, arbitrary: fc.constantFrom('Yes.', null) }, value),
		}),
	)
	.map(([fields, right]) => ({ ...fields, ...right }));

const task = fc
	.tuple(
		record(['id', 'title', 'status', 'task', 'data', 'error_code', 'assignees', 'tags']),
		fc.record({ id: fc.oneof(text, value) }),
	)
	.map(([fields, right]) => ({ ...fields, ...right }));

const page = fc.oneof(
	record([
		'tasks',
		'data',
		'items',
		'results',
		'next_cursor',
		'next',
		'cursor',
		'has_more',
		'pagination',
		'meta',
	]),
	fc.array(record(['id', 'title'])),
	fc.record({ tasks: fc.array(record(['id', 'title', 'status'])), next_cursor: fc.option(text) }),
);

const headers = fc.dictionary(
	fc.constantFrom(
		'retry-after',
		'content-type',
		'location',
		'date',
		'x-request-id',
		'www-authenticate',
	),
	fc.stringMatching(/^[a-cX-Z0-9 ,:;=/"-]{0,30}$/),
);

/** What holds whatever came in. What the service says of itself, e.g. its links, is output as it is. */
function expectSane({ status, error, items }: NodeRun) {
	if (status === 'success') {
		expect(error).toBeUndefined();
		for (const { json, pairedItem } of items) {
			expect(pairedItem).toEqual({ item: 0 });
			expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
			// n8n stores and shows it as JSON, with nothing lost.
			expect(JSON.parse(JSON.stringify(json))).toEqual(json);
			for (const name of ['__proto__', 'constructor', 'toString'])
				expect(namesIn(json)).not.toContain(name);
		}
		return;
	}
	expect(status).toBe('error');
	expect(['NodeApiError', 'NodeOperationError']).toContain(error?.name);
	expect(error?.message).toMatch(/\[item 0\]$/);
	expect(error?.message).not.toMatch(/^undefined|Something unexpected/);
	expect(error?.description).toBeTruthy();
	for (const secret of SECRETS) expect(inspect(error, { depth: Infinity })).not.toContain(secret);
}

/** The names of all fields, however deep. */
function namesIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

/** How many of 60 answers are read, at least: a test that reads none says nothing. */
const FEWEST_READ = 10;

describe(
	'whatever the service answers, nothing crashes, hangs or leaks:',
	{ timeout: 60_000 },
	() => {
		test.for<[string, fc.Arbitrary<unknown>, Route, string, INodeParameters]>([
			[
				'any Question, when it is asked',
				question,
				'POST /assistants/:assistant_id/questions',
				'question.ask',
				{ question: 'Is the cap usual?' },
			],
			[
				'any Question, when it is checked',
				question,
				'GET /assistants/:assistant_id/questions/:question_id',
				'question.get',
				{ questionId: 'q' },
			],
			['any page of tasks', page, 'GET /tasks', 'task.getAll', {}],
			['any task', task, 'POST /tasks', 'task.create', { title: 'Review NDA' }],
		])('%s', async ([, given, route, operation, parameters], { sandbox, run }) => {
			let read = 0;
			const property = fc.asyncProperty(given, async (body) => {
				await sandbox.reset();
				sandbox.faults.add({
					kind: 'body',
					status: 200,
					body: JSON.stringify(body),
					match: route,
					times: Infinity,
				});
				const outcome = await run(operation, parameters);
				if (outcome.status === 'success') read += 1;
				expectSane(outcome);
				if (route.startsWith('POST'))
					expect(sandbox.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
			});
			await fc.assert(property, runs);
			expect(read).toBeGreaterThanOrEqual(FEWEST_READ);
		});

		test('any status with any headers and any body', async ({ sandbox, run }) => {
			const body = fc.oneof(
				value,
				record(['error_code', 'svc_api_error_code', 'message', 'error', 'status']),
				text,
			);
			const property = fc.asyncProperty(
				fc.integer({ min: 200, max: 599 }),
				headers,
				body,
				async (status, sent, given) => {
					await sandbox.reset();
					sandbox.faults.add({
						status,
						headers: sent,
						body: given,
						times: Infinity,
					});
					expectSane(await run('user.get'));
				},
			);
			await fc.assert(property, runs);
		});
	},
);
