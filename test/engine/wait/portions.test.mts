import { Expression } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import {
	ASK,
	binaryItem,
	continuing,
	operations,
	questions,
	test,
	textWith,
} from '../../support/fixtures.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

test.beforeEach(({ service }) => {
	service.settings.newSessionsPerMinute = 60;
	service.settings.requestsPerMinute = 400;
});

describe('of more questions than the limits allow at once,', () => {
	test('as many as they allow are asked within 10 seconds, the others once the execution was parked; nothing is checked meanwhile', async ({
		service,
		wait,
	}) => {
		const began = Date.now();
		let run = await wait.ask({ items: questions(200) });
		expect(Date.now() - began).toBeLessThanOrEqual(11 * SECOND);
		expect(wait.posted()).toBeGreaterThanOrEqual(65);
		while (wait.posted() < 200) {
			expect([run.status, run.hints.join()]).toEqual(['waiting', textWith('in portions')]);
			const before = [wait.posted(), Date.now()] as const;
			run = await wait.wakeInTime(run);
			const [count, time] = before;
			expect(wait.posted()).toBeGreaterThanOrEqual(Math.min(200, count + 50));
			expect(Date.now() - time).toBeLessThanOrEqual(70 * SECOND);
		}
		expect(wait.checks()).toEqual([]);
		expect((Date.now() - began) / MINUTE).toBeLessThan(1.2 * (140 / 60) + 1);
		expect(service.requests.filter(({ status }) => status === 429)).toEqual([]);
	});

	test('those that continue a session do not count as new sessions', async ({ service, wait }) => {
		await wait.ask({ items: questions(40), fields: operations.Ask });
		for (const { id } of service.questions) await service.complete(id);
		const items = service.questions.map(({ sessionId }) => ({ json: { sessionId } }));
		const additionalFields = { sessionId: '={{ $json.sessionId }}' };
		const over = await wait.ask({
			items,
			fields: { ...operations.Ask, question: 'And then?', additionalFields },
		});
		expect(over.status).toBe('success');
		expect(wait.posted()).toBe(80);
	});

	test('a portion reads the fields of what it sends, and of nothing else', async ({ wait }) => {
		const parked = await wait.ask({ items: questions(200), fields: operations.Ask });
		const before = wait.posted();
		const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await wait.wakeInTime(parked);
		const read = resolve.mock.calls.filter(([value]) => value === '={{ $json.words }}').length;
		resolve.mockRestore();
		expect(wait.posted()).toBeGreaterThan(before);
		expect(read).toBe(wait.posted() - before);
	});

	test('only the files of those that are asked are uploaded', async ({ service, wait }) => {
		const file = await binaryItem('%PDF-1.7', { fileName: 'NDA.pdf' });
		const items = questions(90).map(({ json }) => ({ ...file, json }));
		await wait.ask({ items, fields: { attachments: { attachment: [{ source: 'allBinary' }] } } });
		const uploads = service.requestsTo('POST /files/upload-url');
		expect(uploads.length).toBeLessThanOrEqual(72);
		expect(uploads).toHaveLength(service.questions.length);
	});

	test.for([
		['Ask', 150, operations.Ask],
		['Ask and Wait', 150, { options: { maxWait: 1 } }],
		['Create Task', 500, operations['Create Task']],
	] as const)(
		'%s of %i sends each once, and outputs all in order',
		async ([, count, fields], { service, wait }) => {
			const parked = await wait.ask({ items: questions(count), fields });
			expect(parked.status).toBe('waiting');
			const over = await wait.toItsEnd(parked);
			expect([over.status, wait.posted()]).toEqual(['success', count]);
			const findText = (id: unknown) =>
				service.questions.find((question) => question.id === id)?.text;
			expect(over.json.map(({ id, title }) => title ?? findText(id))).toEqual(
				questions(count).map(({ json }) => json.words),
			);
		},
	);
});

describe('of questions with files', () => {
	const withFiles = {
		...operations.Ask,
		attachments: { attachment: [{ source: 'allBinary' }] },
		options: { noFileFound: 'ask' },
	};
	const isUpload = ({ method }: LoggedRequest) => method === 'PUT';
	test('those whose upload fails use up nothing of the limits', async ({ service, wait }) => {
		const nodeTypes = await freshNodes();
		service.faults.add({ status: 400, match: isUpload, times: Infinity });
		const file = await binaryItem('%PDF-1.7', { fileName: 'NDA.pdf' });
		const items = questions(40).map(({ json }) => ({ ...file, json }));
		await wait.ask({ items, fields: withFiles, node: continuing, nodeTypes });
		expect(wait.posted()).toBe(0);
		const over = await wait.ask({ items: questions(50), fields: operations.Ask, nodeTypes });
		expect([over.status, wait.posted()]).toEqual(['success', 50]);
	});

	test('one that has its permit while its file is uploaded is not asked in a pause that the service wants meanwhile', async ({
		service,
		wait,
	}) => {
		const nodeTypes = await freshNodes();
		service.faults.add({ kind: 'latency', ms: 5 * SECOND, match: isUpload });
		service.faults.add({ status: 429, headers: { 'Retry-After': '30' }, match: ASK });
		const file = await binaryItem('%PDF-1.7', { fileName: 'NDA.pdf' });
		const items = questions(2).map(({ json }, index) => ({ ...(index === 0 && file), json }));
		const began = Date.now();
		await wait.toItsEnd(await wait.ask({ items, fields: withFiles, nodeTypes }));
		const [, ...later] = service.requestsTo(ASK).map(({ at }) => at - began);
		expect(later).toHaveLength(2);
		for (const at of later) expect(at).toBeGreaterThanOrEqual(30 * SECOND);
	});
});

test('in an execution by hand, questions that wait for their turn are shown as in progress', async ({
	wait,
}) => {
	const { items } = await wait.ask({ items: questions(90), mode: 'manual' });
	expect(items).toHaveLength(90);
	expect(items.at(-1)).toMatchObject({ json: { status: 'in_progress' }, pairedItem: { item: 89 } });
});

test('tasks that the service keeps turning away as too many fail after 5 minutes, and a retry creates them', async ({
	service,
	clock,
	wait,
}) => {
	const tooMany = { status: 429, headers: { 'Retry-After': '40' }, times: Infinity };
	const full = service.faults.add({ ...tooMany, match: 'POST /tasks' });
	const began = Date.now();
	const failed = await wait.toItsEnd(await wait.ask({ fields: operations['Create Task'] }));
	expect([failed.status, failed.error?.message]).toEqual(['error', textWith('limit')]);
	const minutes = (Date.now() - began) / MINUTE;
	expect(minutes).toBeGreaterThan(4.5);
	expect(minutes).toBeLessThan(7);
	full.remove();
	const tries = wait.posted();
	const retried = await wait.toItsEnd(await clock.settle(failed.retry()));
	expect([retried.status, wait.posted()]).toEqual(['success', tries + 1]);
});

test.for(['first', 'second'])(
	'of two items with the same words, both are asked, although the %s is turned away at first',
	async (which, { service, wait }) => {
		const tooMany = { status: 429, headers: { 'Retry-After': '40' } };
		service.faults.add({ ...tooMany, match: ASK, skip: which === 'first' ? 0 : 1 });
		const items = ['Same', 'Same'].map((words) => ({ json: { words } }));
		const over = await wait.toItsEnd(await wait.ask({ items, fields: operations.Ask }));
		expect([over.error?.message, wait.posted()]).toEqual([undefined, 3]);
		expect(service.questions).toMatchObject([{ text: 'Same' }, { text: 'Same' }]);
	},
);

test.for([
	['limits', {}, 'limit'],
	['session', { additionalFields: { sessionId: 'session' } }, 'busy'],
] as const)(
	'what still waits for the %s at the last wake before the execution timeout fails with that reason, and was not sent',
	async ([, fields, reason], { service, wait }) => {
		if (reason === 'busy')
			service.faults.add({
				status: 400,
				match: ASK,
				times: Infinity,
				body: { error_code: 'session_still_processing' },
			});
		const parked = await wait.ask({
			items: questions(reason === 'busy' ? 1 : 200),
			fields: { operation: 'ask', ...fields },
			node: continuing,
			settings: { executionTimeout: 60 },
		});
		const over = await wait.toItsEnd(parked);
		const failed = over.json.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(over.json.length - service.questions.length);
		expect(failed[0]).toMatchObject({ error: textWith(reason) });
		expect(over.hints.join()).toEqual(textWith('timeout'));
	},
);

test.for([
	['the question itself', 1],
	['the question before it in the session', 2],
] as const)(
	'a question in a session says nothing of a busy session if the limits held up %s until the execution timeout',
	async ([, count], { service, wait }) => {
		const tooMany = { status: 429, headers: { 'Retry-After': '40' }, times: Infinity };
		service.faults.add({ ...tooMany, match: ASK });
		const nodeTypes = await freshNodes();
		const parked = await wait.ask({
			items: questions(count),
			fields: { ...operations.Ask, additionalFields: { sessionId: 'session' } },
			node: continuing,
			settings: { executionTimeout: 60 },
			nodeTypes,
		});
		const over = await wait.toItsEnd(parked);
		expect(over.json).toHaveLength(count);
		for (const { error } of over.json) expect(error).toEqual(textWith('limit'));
	},
);

test('a session that is busy is tried again soon, however often the limits turned its question away before', async ({
	service,
	wait,
}) => {
	const nodeTypes = await freshNodes();
	const session = { additionalFields: { sessionId: await wait.openSession() } };
	await wait.completeSilently('Opening');
	const tooMany = { status: 429, headers: { 'Retry-After': '20' }, times: 3 };
	service.faults.add({ ...tooMany, match: ASK });
	const body = { error_code: 'session_still_processing' };
	service.faults.add({ status: 400, body, match: ASK });
	await wait.toItsEnd(await wait.ask({ fields: { ...operations.Ask, ...session }, nodeTypes }));
	const [, ...times] = service.requestsTo(ASK).map(({ at }) => at);
	expect(times).toHaveLength(5);
	expect((times[4] ?? NaN) - (times[3] ?? NaN)).toBeLessThan(4 * SECOND);
});

test("of questions that still wait to be sent as the credential can't be used anymore, the rest fails with that, and a retry sends it", async ({
	service,
	clock,
	wait,
}) => {
	const credential = { baseUrl: service.baseUrl };
	const parked = await wait.ask({ items: questions(90), fields: operations.Ask, credential });
	const sent = wait.posted();
	credential.baseUrl = 'http://legal-ai.example.com/api/v1';
	const failed = await wait.wakeInTime(parked);
	expect([failed.status, failed.error?.message, failed.error?.description]).toEqual([
		'error',
		textWith('"Base URL"'),
		textWith(`(${sent} in all)`),
	]);
	credential.baseUrl = service.baseUrl;
	const over = await wait.toItsEnd(await clock.settle(failed.retry()));
	expect([over.status, over.json.length, wait.posted()]).toEqual(['success', 90, 90]);
});
