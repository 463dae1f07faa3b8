import type { INodeParameters } from 'n8n-workflow';

import { ASK, operations, questions, test, textWith, type Wait } from '../../support/fixtures.mts';

const withoutFile: INodeParameters = {
	attachments: { attachment: [{ source: 'allBinary' }] },
	options: { noFileFound: 'ask' },
};
const withoutSession: INodeParameters = { additionalFields: { sessionId: '={{ $json.session }}' } };

const hintFor = (count: number) =>
	textWith(`without a file, because their items had none to attach: ${count}.`);
const sessionHintFor = (count: number) =>
	textWith(`opened a new session, because "Session ID" was empty: ${count}.`);

describe.each([
	['that ring', {}],
	['that are polled', { waitUsing: 'polling' }],
])('questions %s, asked and waited for,', (_how, options) => {
	/** Until the answers to two questions, with these fields, are output. */
	async function answered(
		{ ask, service, completeSilently, toItsEnd }: Wait,
		fields: INodeParameters,
	) {
		const merged = { ...fields, options: { ...(fields.options as object), ...options } };
		const parked = await ask({ items: questions(2), fields: merged });
		expect(parked.status).toBe('waiting');
		for (const { text } of [...service.questions]) await completeSilently(text);
		return await toItsEnd(parked);
	}

	test('without a file are counted beside the output', async ({ wait }) => {
		expect((await answered(wait, withoutFile)).hints).toEqual([hintFor(2)]);
	});

	test('that opened a new session are counted beside the output', async ({ wait }) => {
		expect((await answered(wait, withoutSession)).hints).toEqual([sessionHintFor(2)]);
	});
});

test('a question that was tried several times is counted once', async ({
	service,
	clock,
	wait,
}) => {
	service.faults.add({ status: 429, headers: { 'retry-after': '90' }, match: ASK, times: 2 });
	const parked = await wait.ask({ items: questions(1), fields: withoutFile });
	const asked = await wait.wakeInTime(await wait.wakeInTime(parked));
	await wait.complete();
	const over = await clock.settle(asked.resumed());
	expect(service.requestsTo(ASK)).toHaveLength(3);
	expect(over.hints).toEqual([hintFor(1)]);
});

test('what was counted as an item was sent is counted if n8n continues from an older state, in which it is not sent yet', async ({
	clock,
	wait,
}) => {
	const session = await wait.openSession();
	await wait.completeSilently('Opening');
	const items = ['A', 'B'].map((words) => ({ json: { words } }));
	const parked = await wait.ask({
		items,
		fields: { ...withoutFile, additionalFields: { sessionId: session } },
	});
	await wait.completeSilently('A');
	await wait.whileBusy(parked);
	expect(wait.posted()).toBe(3);
	await wait.completeSilently('B');
	const over = await clock.settle(
		wait.n8n.endings.waitFor(({ id, status }) => id === parked.id && status === 'success'),
	);
	expect(over.hints).toEqual([hintFor(2)]);
});

test('the output counts all that were asked without a file, whichever portion has asked them', async ({
	service,
	wait,
}) => {
	service.settings.newSessionsPerMinute = 60;
	const fields = { ...operations.Ask, ...withoutFile };
	const over = await wait.toItsEnd(await wait.ask({ items: questions(150), fields }));
	expect(over.hints).toEqual([hintFor(150)]);
});
