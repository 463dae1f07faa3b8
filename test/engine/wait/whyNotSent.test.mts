import type { INodeExecutionData } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import { askedAbout, itemsWithContracts } from '../../support/wait/contracts.mts';
import {
	AFTER,
	ASK,
	type Execution,
	type Killed,
	test,
	textWith,
} from '../../support/fixtures.mts';
import { type Case, words } from '../../support/wait/killed.mts';

const INTERRUPTED = textWith('Sending was interrupted');
const SENT_BEFORE = textWith('was sent before this retry');
const isUpload = ({ method }: LoggedRequest) => method === 'PUT';

/** The errors of the items that came out with one. */
const readErrors = (execution: Execution): unknown[] =>
	execution.readItems(AFTER).flatMap(({ json }) => (json.error === undefined ? [] : [json.error]));

test('of the items that n8n was killed over as they were sent, it says that sending was interrupted', async ({
	killed,
}) => {
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(3) }));
	expect(readErrors(await killed.finish(crashed.retry()))).toEqual([
		INTERRUPTED,
		INTERRUPTED,
		INTERRUPTED,
	]);
});

test('if a sent item has left the list, it does not say of the others that sending them was interrupted', async ({
	service,
	killed,
}) => {
	killed.list.makeItems = () => itemsWithContracts(found);
	let found = ['Ada', 'Ben', 'Cat'];
	const crashed = await killed.killWhileSending(
		() => killed.start({ parameters: { attachments: { attachment: [{ source: 'allBinary' }] } } }),
		{ match: isUpload, skip: 1 },
	);
	const [sent] = askedAbout(service, found);
	found = found.filter((whose) => whose !== sent);
	const errors = readErrors(await killed.finish(crashed.retry()));
	expect(errors).toHaveLength(2);
	expect(errors).not.toContainEqual(INTERRUPTED);
	expect(service.questions).toHaveLength(1);
});

test('if an execution is retried a second time, it says of what the first retry has sent that another retry has', async ({
	killed,
}) => {
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(3) }), {
		skip: 0,
	});
	const first = await killed.finish(crashed.retry());
	expect(first.status).toBe('success');
	const before = killed.accepted().length;
	const second = await killed.finish(crashed.retry());
	expect(killed.accepted()).toHaveLength(before);
	expect(readErrors(second)).not.toContainEqual(INTERRUPTED);
});

test('of what an earlier retry may have sent, it names both who may have sent it, and where to look for it', async ({
	killed,
}) => {
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(1) }), {
		skip: 0,
	});
	await killed.finish(crashed.retry());
	const second = await killed.finish(crashed.retry());
	expect(second.readItems(AFTER)).toMatchObject([
		{
			json: {
				error: textWith('by the execution itself, or by an earlier retry of it'),
				details: { description: textWith('Look for it in the output of the earlier retry') },
			},
		},
	]);
});

test('if a retry has sent what was not sent, a second retry of the same execution says of all items that they were sent before', async ({
	service,
	killed,
}) => {
	killed.list.makeItems = () => itemsWithContracts(['Ada', 'Ben', 'Cat']);
	const crashed = await killed.killWhileSending(
		() => killed.start({ parameters: { attachments: { attachment: [{ source: 'allBinary' }] } } }),
		{ match: isUpload, skip: 1 },
	);
	await killed.finish(crashed.retry());
	expect(service.questions).toHaveLength(3);
	const second = await killed.finish(crashed.retry());
	expect(service.questions).toHaveLength(3);
	expect(readErrors(second)).toEqual([SENT_BEFORE, SENT_BEFORE, SENT_BEFORE]);
});

test('in a loop in which an item was rejected, it does not say of that item that sending was interrupted', async ({
	service,
	killed,
}) => {
	service.faults.add({ status: 422, match: ASK });
	const crashed = await killed.killWhileSending(
		() => killed.start({ words: words(3), isLooped: true }),
		{
			match: ({ route }) => route === ASK,
			skip: 1,
		},
	);
	expect(killed.accepted()).toEqual(['Words 1']);
	const ended = await killed.finish(crashed.retry());
	const [rejected] = ended.readItems(AFTER);
	expect(rejected?.json.error).not.toEqual(INTERRUPTED);
	expect(killed.accepted().filter((text) => text === 'Words 1')).toHaveLength(1);
});

describe('killed in a later round of a loop than that in which an item was rejected, a retry', () => {
	const inThirdRound = async ({ wait, killWhileSending, start }: Killed, more: Case = {}) => {
		const { service } = wait;
		service.faults.add({ status: 422, match: ASK });
		return await killWhileSending(() => start({ words: words(5), isLooped: true, ...more }), {
			match: ({ route }) => route === ASK,
			skip: 1,
		});
	};

	test('sends that item, and nothing again', async ({ killed }) => {
		const crashed = await inThirdRound(killed);
		expect(killed.accepted()).toEqual(['Words 1']);
		const ended = await killed.finish(crashed.retry());
		expect(killed.accepted()).toEqual(['Words 1', 'Words 0', 'Words 3', 'Words 4']);
		expect(readErrors(ended)).toEqual([INTERRUPTED, INTERRUPTED]);
	});

	test('of which all texts are others each time does not send what may have been accepted in its place', async ({
		killed,
	}) => {
		const question = '={{ $json.words }} at {{ $now.toMillis() }}';
		const crashed = await inThirdRound(killed, { parameters: { question } });
		await killed.finish(crashed.retry());
		expect(killed.accepted().map((text) => text.slice(0, 'Words 0'.length))).toEqual([
			'Words 1',
			'Words 3',
			'Words 4',
		]);
	});

	test('counts that item with what was sent: of texts that are others each time, a second retry sends none', async ({
		killed,
	}) => {
		const question =
			'={{ $json.words === "Words 0" ? $json.words : `${$json.words} at ${$now.toMillis()}` }}';
		const crashed = await inThirdRound(killed, { parameters: { question } });
		await killed.finish(crashed.retry());
		const sent = killed.accepted();
		expect(sent.map((text) => text.slice(0, 'Words 0'.length))).toEqual([
			'Words 1',
			'Words 0',
			'Words 3',
			'Words 4',
		]);
		await killed.finish(crashed.retry());
		expect(killed.accepted()).toEqual(sent);
	});
});

test.for<[string, (time: number) => INodeExecutionData[], object]>([
	[
		'an address',
		(time) =>
			words(3).map((text) => ({
				json: { words: text, url: `https://files.example.com/contract.pdf?at=${time}` },
			})),
		{ attachments: { attachment: [{ source: 'url', url: '={{ $json.url }}' }] } },
	],
])(
	'if %s is made anew for each run, it says that what was sent can not be told',
	async ([, make, parameters], { killed }) => {
		let runs = 0;
		killed.list.makeItems = () => Promise.resolve(make((runs += 1)));
		const crashed = await killed.killWhileSending(() =>
			killed.start({ parameters: { ...parameters } }),
		);
		const before = killed.accepted().length;
		const errors = readErrors(await killed.finish(crashed.retry()));
		expect(killed.accepted()).toHaveLength(before);
		expect(errors).toHaveLength(3);
		expect(errors).not.toContainEqual(INTERRUPTED);
	},
);

test('the error of a node that fails names the item, what happened, and what to do', async ({
	clock,
	killed,
}) => {
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(3), node: {} }));
	const failed = await clock.settle(crashed.retry());
	expect(failed.error?.message).toEqual(textWith('[item '));
	expect(failed.error?.description).toEqual(textWith('Check the web app'));
});
