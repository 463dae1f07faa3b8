import { Expression } from 'n8n-workflow';

import {
	ASK,
	binaryItem,
	continuing,
	onStoppedClock,
	operations,
	questions,
	settle,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const world = await onStoppedClock();
const { sandbox, ask, checks, posted, wakeInTime, toItsEnd } = world;

beforeEach(() => {
	sandbox.settings.newSessionsPerMinute = 60;
	sandbox.settings.requestsPerMinute = 400;
});

describe('of more questions than the limits allow at once,', () => {
	test('as many as they allow are asked within 10 seconds, the others once the execution was parked; nothing is checked meanwhile', async () => {
		const began = Date.now();
		let run = await ask({ items: questions(200) });
		expect(Date.now() - began).toBeLessThanOrEqual(11 * SECOND);
		expect(posted()).toBeGreaterThanOrEqual(65);
		while (posted() < 200) {
			expect([run.status, run.hints.join()]).toEqual(['waiting', textWith('in portions')]);
			const before = [posted(), Date.now()] as const;
			run = await wakeInTime(run);
			const [count, time] = before;
			expect(posted()).toBeGreaterThanOrEqual(Math.min(200, count + 50));
			expect(Date.now() - time).toBeLessThanOrEqual(70 * SECOND);
		}
		expect(checks()).toEqual([]);
		expect((Date.now() - began) / MINUTE).toBeLessThan(1.2 * (140 / 60) + 1);
		expect(sandbox.requests.filter(({ status }) => status === 429)).toEqual([]);
	});

	test('a portion reads the fields of what it sends, and of nothing else', async () => {
		const parked = await ask({ items: questions(200), fields: operations.Ask });
		const before = posted();
		const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await wakeInTime(parked);
		const read = resolve.mock.calls.filter(([value]) => value === '={{ $json.words }}').length;
		resolve.mockRestore();
		expect(posted()).toBeGreaterThan(before);
		expect(read).toBe(posted() - before);
	});

	test('only the files of those that are asked are uploaded', async () => {
		const file = await binaryItem('%PDF-1.7', { fileName: 'NDA.pdf' });
		const items = questions(90).map(({ json }) => ({ ...file, json }));
		await ask({ items, fields: { attachments: { attachment: [{ source: 'allBinary' }] } } });
		const uploads = sandbox.requestsTo('POST /files/upload-url');
		expect(uploads.length).toBeLessThanOrEqual(72);
		expect(uploads).toHaveLength(sandbox.questions.length);
	});

	test.each([
		['Ask', 150, operations.Ask],
		['Ask and Wait', 150, { options: { maxWait: 1 } }],
		['Create Task', 500, operations['Create Task']],
	])('%s of %i sends each once, and outputs all in order', async (_name, count, fields) => {
		const parked = await ask({ items: questions(count), fields });
		expect(parked.status).toBe('waiting');
		const over = await toItsEnd(parked);
		expect([over.status, posted()]).toEqual(['success', count]);
		const textOf = (id: unknown) => sandbox.questions.find((question) => question.id === id)?.text;
		expect(over.json.map(({ id, title }) => title ?? textOf(id))).toEqual(
			questions(count).map(({ json }) => json.words),
		);
	});
});

test('in an execution by hand, questions that wait for their turn are shown as in progress', async () => {
	const { items } = await ask({ items: questions(90), mode: 'manual' });
	expect(items).toHaveLength(90);
	expect(items.at(-1)).toMatchObject({ json: { status: 'in_progress' }, pairedItem: { item: 89 } });
});

test('tasks that the service keeps turning away as too many fail after 5 minutes, and a retry creates them', async () => {
	const tooMany = { status: 429, headers: { 'Retry-After': '40' }, times: Infinity };
	const full = sandbox.faults.add({ ...tooMany, match: 'POST /tasks' });
	const began = Date.now();
	const failed = await toItsEnd(await ask({ fields: operations['Create Task'] }));
	expect([failed.status, failed.error?.message]).toEqual(['error', textWith('limit')]);
	const minutes = (Date.now() - began) / MINUTE;
	expect(minutes).toBeGreaterThan(4.5);
	expect(minutes).toBeLessThan(7);
	full.remove();
	const tries = posted();
	const retried = await toItsEnd(await settle(failed.retry()));
	expect([retried.status, posted()]).toEqual(['success', tries + 1]);
});

test.each(['first', 'second'])(
	'of two items with the same words, both are asked, although the %s is turned away at first',
	async (which) => {
		const tooMany = { status: 429, headers: { 'Retry-After': '40' } };
		sandbox.faults.add({ ...tooMany, match: ASK, skip: which === 'first' ? 0 : 1 });
		const items = ['Same', 'Same'].map((words) => ({ json: { words } }));
		const over = await toItsEnd(await ask({ items, fields: operations.Ask }));
		expect([over.error?.message, posted()]).toEqual([undefined, 3]);
		expect(sandbox.questions).toMatchObject([{ text: 'Same' }, { text: 'Same' }]);
	},
);

test.each([
	['limits', {}, 'limit'],
	['session', { additionalFields: { sessionId: 'session' } }, 'busy'],
])(
	'what still waits for the %s at the last wake before the execution timeout fails with that reason, and was not sent',
	async (_what, fields, reason) => {
		if (reason === 'busy')
			sandbox.faults.add({
				status: 400,
				match: ASK,
				times: Infinity,
				body: { error_code: 'session_still_processing' },
			});
		const parked = await ask({
			items: questions(reason === 'busy' ? 1 : 200),
			fields: { operation: 'ask', ...fields },
			node: continuing,
			settings: { executionTimeout: 60 },
		});
		const over = await toItsEnd(parked);
		const failed = over.json.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(over.json.length - sandbox.questions.length);
		expect(failed[0]).toMatchObject({ error: textWith(reason) });
		expect(over.hints.join()).toEqual(textWith('timeout'));
	},
);

test("of questions that still wait to be sent as the credential can't be used anymore, the rest fails with that, and a retry sends it", async () => {
	const credential = { baseUrl: sandbox.baseUrl };
	const parked = await ask({ items: questions(90), fields: operations.Ask, credential });
	const sent = posted();
	credential.baseUrl = 'http://legal-ai.example.com/api/v1';
	const failed = await wakeInTime(parked);
	expect([failed.status, failed.error?.message, failed.error?.description]).toEqual([
		'error',
		textWith('"Base URL"'),
		textWith(`(${sent} in all)`),
	]);
	credential.baseUrl = sandbox.baseUrl;
	const over = await toItsEnd(await settle(failed.retry()));
	expect([over.status, over.json.length, posted()]).toEqual(['success', 90, 90]);
});
