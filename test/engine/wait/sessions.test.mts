import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { breakProcessedData } from '../../support/engine/processedData.mts';
import {
	readAnswers,
	answersTo,
	ASK,
	continuing,
	type Sandbox,
	storeBinary,
	test,
	textWith,
	type Wait,
} from '../../support/fixtures.mts';
import { createContract, findContracts } from '../../support/wait/contracts.mts';
import { FileStore } from '../../support/wait/fileStore.mts';

const MINUTE = 60_000;

const texts = (service: Sandbox) => service.questions.map(({ text }) => text).slice(1);

/** Asks for items that continue one session, or open one if they have none. */
async function ask(
	wait: Wait,
	items: INodeExecutionData[],
	options: INodeParameters = {},
	node: Partial<INode> = {},
) {
	return await wait.ask({
		items,
		options,
		fields: { additionalFields: { sessionId: '={{ $json.session }}' } },
		node,
	});
}

/** Asks with two files. */
async function askWithFiles(wait: Wait, session: string, node: Partial<INode> = {}) {
	const store = async (fileName: string) =>
		await storeBinary(fileName, { fileName, mimeType: 'application/pdf' });
	const binary = { nda: await store('NDA.pdf'), annex: await store('Annex.pdf') };
	const fields = {
		additionalFields: { sessionId: session },
		attachments: { attachment: [{ source: 'allBinary' }] },
	};
	return await wait.ask({ items: [{ ...item('A', session), binary }], fields, node });
}

/** The files that were uploaded, by name. */
function uploads(service: Sandbox) {
	return service
		.requestsTo('POST /files/upload-url')
		.map(({ body }) => (body as { file_name: string }).file_name);
}

const item = (words: string, session = '') => ({ json: { words, session } });

describe('items of one session', () => {
	let session: string;
	test.beforeEach(async ({ wait }) => {
		session = await wait.openSession();
		await wait.complete('Opening');
	});

	test('are asked one after the other, in parallel with items without a session, each looked at once', async ({
		service,
		clock,
		wait,
	}) => {
		const items = [item('Alone'), item('A', session), item('B', session), item('Alone too')];
		const parked = await ask(wait, items);
		expect(texts(service).toSorted()).toEqual(['A', 'Alone', 'Alone too']);
		expect(parked.hints.join()).toEqual(textWith('session'));
		await wait.complete('Alone');
		await wait.complete('A');
		const again = await clock.settle(parked.resumed());
		expect([again.status, texts(service).at(-1)]).toEqual(['waiting', 'B']);
		await wait.complete('B');
		await wait.complete('Alone too');
		const over = await clock.settle(again.resumed());
		expect(readAnswers(over)).toEqual(answersTo('Alone', 'A', 'B', 'Alone too'));
		expect(over.items.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, index) => ({ item: index })),
		);
		expect([wait.posted(), wait.checks().length]).toEqual([5, 4]);
	});

	test('are asked at the next check if callbacks drop, and each has all of Max Wait from then on', async ({
		service,
		clock,
		wait,
	}) => {
		service.callbackFaults.drop = true;
		const parked = await ask(wait, [item('A', session), item('B', session)], { maxWait: 10 });
		await wait.complete('A');
		await clock.pass(9 * MINUTE);
		const again = await clock.settle(parked.wake());
		expect([again.status, texts(service)]).toEqual(['waiting', ['A', 'B']]);
		await clock.pass(9 * MINUTE);
		const still = await clock.settle(again.wake());
		expect(still.status).toBe('waiting');
		await clock.pass(2 * MINUTE);
		const over = await clock.settle(still.wake());
		expect(over.json).toMatchObject([
			{ answer: 'Answer to A' },
			{ status: 'in_progress', timed_out: true },
		]);
	});

	test('wait until the session is free if the item before them was not answered within Max Wait', async ({
		service,
		clock,
		wait,
	}) => {
		const parked = await ask(wait, [item('A', session), item('B', session)], {
			maxWait: 5,
			giveUpAfter: 20,
		});
		await clock.pass(5 * MINUTE);
		const again = await clock.settle(parked.wake());
		expect([again.status, texts(service)]).toEqual(['waiting', ['A']]);
		service.callbackFaults.drop = true;
		await wait.complete('A');
		const asking = await wait.wakeInTime(again);
		expect([asking.status, texts(service)]).toEqual(['waiting', ['A', 'B']]);
		await wait.complete('B');
		expect(readAnswers(await clock.settle(asking.wake()))).toEqual(answersTo('A', 'B'));
	});

	test('are asked even if the item before them fails, with Continue on Fail', async ({
		service,
		clock,
		wait,
	}) => {
		service.faults.add({ status: 403, match: ASK });
		const parked = await ask(
			wait,
			[item('A', session), item('B', session)],
			{ giveUpAfter: 0 },
			continuing,
		);
		expect([parked.status, texts(service)]).toEqual(['waiting', ['B']]);
		await wait.complete('B');
		const over = await clock.settle(parked.resumed());
		expect(over.json).toMatchObject([{ error: textWith('403') }, { answer: 'Answer to B' }]);
	});
});

// n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status.
test('items of one session that may have been accepted are not asked again if n8n has no free slot when the check of the first is due', async ({
	service,
	wait,
}) => {
	const parked = await wait.askInTurn(continuing);
	await wait.completeSilently('A');
	service.faults.add({ kind: 'reset', when: 'handled', match: ASK });
	await wait.whileBusy(parked);
	expect(wait.posted()).toBe(4);
});

describe('a session that others keep busy', () => {
	let session: string;
	test.beforeEach(async ({ wait }) => {
		session = await wait.openSession();
	});

	test('is waited for in the process for 20 seconds, then parked, and tried again at each wake', async ({
		service,
		clock,
		wait,
	}) => {
		const began = Date.now();
		const parked = await ask(wait, [item('A', session)]);
		expect(parked.status).toBe('waiting');
		expect(Date.now() - began).toBeLessThanOrEqual(20_000);
		expect(Date.now() - began).toBeGreaterThan(10_000);
		const tries = wait.posted();
		expect(tries).toBeGreaterThan(3);

		const again = await wait.wakeInTime(parked);
		expect(wait.posted()).toBe(tries + 1);
		await wait.complete('Opening');
		const asking = await wait.wakeInTime(again);
		expect([asking.status, texts(service)]).toEqual(['waiting', ['A']]);
		await wait.complete('A');
		expect(readAnswers(await clock.settle(asking.resumed()))).toEqual(answersTo('A'));
	});

	test('fails the item when Max Time to Submit is over, even if the node parked in between', async ({
		service,
		wait,
	}) => {
		const parked = await ask(wait, [item('A', session)], { giveUpAfter: 12 });
		const began = Date.now();
		const run = await wait.toItsEnd(parked);
		expect(run.error?.message).toContain('busy with its previous question');
		expect((Date.now() - began) / MINUTE).toBeGreaterThan(10);
		expect((Date.now() - began) / MINUTE).toBeLessThan(13);
		expect(texts(service)).toEqual([]);
	});

	test('is tried once with 0 minutes to submit', async ({ wait }) => {
		const began = Date.now();
		const run = await ask(wait, [item('A', session)], { giveUpAfter: 0 });
		expect(run.error?.message).toContain('busy with its previous question');
		expect([wait.posted(), Date.now() - began]).toEqual([2, 0]);
	});

	test('makes the node upload the files of an item only once, however often it wakes and tries', async ({
		service,
		clock,
		wait,
	}) => {
		let run = await askWithFiles(wait, session);
		for (let wakes = 0; wakes < 3; wakes++) run = await wait.wakeInTime(run);
		expect([run.status, uploads(service)]).toEqual(['waiting', ['NDA.pdf', 'Annex.pdf']]);
		await wait.complete('Opening');
		const parked = await wait.wakeInTime(run);
		expect(service.asked('A').attachments).toMatchObject([
			{ fileName: 'NDA.pdf' },
			{ fileName: 'Annex.pdf' },
		]);
		await wait.complete('A');
		expect((await clock.settle(parked.resumed())).json).toMatchObject([
			{ answer: 'Answer to A', attachments_sent: ['NDA.pdf', 'Annex.pdf'] },
		]);
		expect(uploads(service)).toHaveLength(2);
	});

	test('gets of each item the right files, uploaded once, if an expression gives several of one name', async ({
		service,
		clock,
		wait,
	}) => {
		FileStore.ofTest();
		const parties = ['Ada', 'Ben', 'Cat', 'Dan'];
		const store = async (whose: string) =>
			await storeBinary(createContract(whose), { fileName: 'contract.pdf' });
		const itemWith = async (text: string, one: string, other: string) => ({
			...item(text, session),
			binary: { one: await store(one), other: await store(other) },
		});
		const sources = ['={{ $binary.one }}', '={{ $binary.other }}'].map((binaryPropertyName) => ({
			source: 'binary',
			binaryPropertyName,
		}));
		let run = await wait.ask({
			items: [await itemWith('A', 'Ada', 'Ben'), await itemWith('B', 'Cat', 'Dan')],
			fields: {
				additionalFields: { sessionId: session },
				attachments: { attachment: sources },
			},
		});
		expect(run.status).toBe('waiting');
		for (let wakes = 0; wakes < 2; wakes++) run = await wait.wakeInTime(run);
		await wait.complete('Opening');
		const asking = await wait.wakeInTime(run);
		await wait.complete('A');
		await clock.settle(asking.resumed());
		expect(['A', 'B'].map((text) => findContracts(service.asked(text), parties))).toEqual([
			['Ada', 'Ben'],
			['Cat', 'Dan'],
		]);
		expect(uploads(service)).toHaveLength(parties.length);
	});

	test("is asked once it is free, though n8n's store failed as a try was taken back", async ({
		service,
		wait,
	}) => {
		const breaking = (body: string) => {
			breakProcessedData(true);
			return body;
		};
		service.faults.add({ kind: 'body', body: breaking, match: ASK });
		setTimeout(() => {
			breakProcessedData(false);
		}, 1_000);
		const parked = await ask(wait, [item('A', session)]);
		expect([parked.error?.message, parked.status]).toEqual([undefined, 'waiting']);
		await wait.complete('Opening');
		await wait.wakeInTime(parked);
		expect(texts(service)).toEqual(['A']);
	});

	test('holds up no other item', async ({ service, clock, wait }) => {
		const parked = await ask(wait, [item('A', session), item('B')]);
		expect([parked.status, texts(service)]).toEqual(['waiting', ['B']]);
		await wait.complete('B');
		await wait.complete('Opening');
		const asking = await wait.wakeInTime(parked);
		await wait.complete('A');
		expect(readAnswers(await clock.settle(asking.resumed()))).toEqual(answersTo('A', 'B'));
	});
});

test('in sync mode, which never parks, a session that others keep busy is waited for in the process', async ({
	service,
	wait,
}) => {
	service.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to ${text}`,
		after: text === 'Opening' ? 5 * MINUTE : 0,
	});
	const session = await wait.openSession();
	const over = await ask(wait, [item('A', session), item('B', session)], { waitUsing: 'sync' });
	expect(readAnswers(over)).toEqual(answersTo('A', 'B'));
});

test('with 0 minutes to submit, each question of a free session is tried once', async ({
	service,
	wait,
}) => {
	const session = await wait.openSession();
	await wait.complete('Opening');
	service.settings.answer = () => ({ status: 'completed', answer: 'Yes', after: 0 });
	const items = ['A', 'B', 'C'].map((words) => item(words, session));
	const over = await ask(wait, items, { waitUsing: 'sync', giveUpAfter: 0 });
	expect([over.error?.message, texts(service), over.hints]).toEqual([
		undefined,
		['A', 'B', 'C'],
		[],
	]);
});

test('a question that failed is asked with Retry On Fail, and its files are uploaded again', async ({
	service,
	wait,
}) => {
	service.faults.add({
		status: 400,
		body: { error_code: 'invalid_upload_job' },
		match: ASK,
	});
	const parked = await askWithFiles(wait, '', { retryOnFail: true, waitBetweenTries: 0 });
	expect([parked.status, service.questions.length, uploads(service).length]).toEqual([
		'waiting',
		1,
		4,
	]);
});

test('Max Time to Submit is the time for all items of a run together', async ({
	service,
	clock,
	wait,
}) => {
	service.settings.newSessionsPerMinute = 60;
	const items = Array.from({ length: 200 }, (_, index) => item(`${index}`));
	for (const operation of ['ask', 'askAndWait']) {
		const before = service.questions.length;
		const run = await wait.ask({
			items,
			options: { giveUpAfter: 1.5, maxWait: 0.1 },
			fields: { operation },
			node: continuing,
		});
		await wait.toItsEnd(run);
		// The service takes 60 immediately, then one a second for 90 seconds.
		expect(service.questions.length - before).toBeGreaterThan(140);
		expect(service.questions.length - before).toBeLessThanOrEqual(150);
		await clock.pass(5 * MINUTE);
	}
});
