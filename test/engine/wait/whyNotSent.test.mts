import type { INodeExecutionData } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import { askedAbout, itemsWithContracts } from '../../support/wait/contracts.mts';
import { type Case, killing, list, words } from '../../support/wait/killing.mts';
import {
	AFTER,
	ASK,
	type Execution,
	settle,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

/* A retry that can't send something says why, truly. */

const killed = await killing();
const { world, start, over, accepted } = killed;
const { sandbox } = world;

const INTERRUPTED = textWith('Sending was interrupted');
const SENT_BEFORE = textWith('was sent before this retry');
const isUpload = ({ method }: LoggedRequest) => method === 'PUT';

/** The errors of the items that came out with one. */
const errorsOf = (execution: Execution): unknown[] =>
	execution.itemsOf(AFTER).flatMap(({ json }) => (json.error === undefined ? [] : [json.error]));

test('of the items that n8n was killed over as they were sent, it says that sending was interrupted', async () => {
	const crashed = await killed.killedInSending(() => start({ words: words(3) }));
	expect(errorsOf(await over(crashed.retry()))).toEqual([INTERRUPTED, INTERRUPTED, INTERRUPTED]);
});

test('if a sent item has left the list, it does not say of the others that sending them was interrupted', async () => {
	list.makeItems = () => itemsWithContracts(found);
	let found = ['Ada', 'Ben', 'Cat'];
	const crashed = await killed.killedInSending(
		() => start({ parameters: { attachments: { attachment: [{ source: 'allBinary' }] } } }),
		{ match: isUpload, skip: 1 },
	);
	const [sent] = askedAbout(sandbox, found);
	found = found.filter((whose) => whose !== sent);
	const errors = errorsOf(await over(crashed.retry()));
	expect(errors).toHaveLength(2);
	expect(errors).not.toContainEqual(INTERRUPTED);
	expect(sandbox.questions).toHaveLength(1);
});

test('if an execution is retried a second time, it says of what the first retry has sent that another retry has', async () => {
	const crashed = await killed.killedInSending(() => start({ words: words(3) }), { skip: 0 });
	const first = await over(crashed.retry());
	expect(first.status).toBe('success');
	const before = accepted().length;
	const second = await over(crashed.retry());
	expect(accepted()).toHaveLength(before);
	expect(errorsOf(second)).not.toContainEqual(INTERRUPTED);
});

test('if a retry has sent what was not sent, a second retry of the same execution says of all items that they were sent before', async () => {
	list.makeItems = () => itemsWithContracts(['Ada', 'Ben', 'Cat']);
	const crashed = await killed.killedInSending(
		() => start({ parameters: { attachments: { attachment: [{ source: 'allBinary' }] } } }),
		{ match: isUpload, skip: 1 },
	);
	await over(crashed.retry());
	expect(sandbox.questions).toHaveLength(3);
	const second = await over(crashed.retry());
	expect(sandbox.questions).toHaveLength(3);
	expect(errorsOf(second)).toEqual([SENT_BEFORE, SENT_BEFORE, SENT_BEFORE]);
});

test('in a loop in which an item was rejected, it does not say of that item that sending was interrupted', async () => {
	sandbox.faults.add({ status: 422, match: ASK });
	const crashed = await killed.killedInSending(() => start({ words: words(3), isLooped: true }), {
		match: ({ route }) => route === ASK,
		skip: 1,
	});
	expect(accepted()).toEqual(['Words 1']);
	const ended = await over(crashed.retry());
	const [rejected] = ended.itemsOf(AFTER);
	expect(rejected?.json.error).not.toEqual(INTERRUPTED);
	expect(accepted().filter((text) => text === 'Words 1')).toHaveLength(1);
});

describe('killed in a later round of a loop than that in which an item was rejected, a retry', () => {
	const inThirdRound = async (more: Case = {}) => {
		sandbox.faults.add({ status: 422, match: ASK });
		return await killed.killedInSending(() => start({ words: words(5), isLooped: true, ...more }), {
			match: ({ route }) => route === ASK,
			skip: 1,
		});
	};

	test('sends that item, and nothing again', async () => {
		const crashed = await inThirdRound();
		expect(accepted()).toEqual(['Words 1']);
		const ended = await over(crashed.retry());
		expect(accepted()).toEqual(['Words 1', 'Words 0', 'Words 3', 'Words 4']);
		expect(errorsOf(ended)).toEqual([INTERRUPTED, INTERRUPTED]);
	});

	test('of which all texts are others each time does not send what may have been accepted in its place', async () => {
		const question = '={{ $json.words }} at {{ $now.toMillis() }}';
		const crashed = await inThirdRound({ parameters: { question } });
		await over(crashed.retry());
		expect(accepted().map((text) => text.slice(0, 'Words 0'.length))).toEqual([
			'Words 1',
			'Words 3',
			'Words 4',
		]);
	});

	test('counts that item with what was sent: of texts that are others each time, a second retry sends none', async () => {
		const question =
			'={{ $json.words === "Words 0" ? $json.words : `${$json.words} at ${$now.toMillis()}` }}';
		const crashed = await inThirdRound({ parameters: { question } });
		await over(crashed.retry());
		const sent = accepted();
		expect(sent.map((text) => text.slice(0, 'Words 0'.length))).toEqual([
			'Words 1',
			'Words 0',
			'Words 3',
			'Words 4',
		]);
		await over(crashed.retry());
		expect(accepted()).toEqual(sent);
	});
});

test.each<[string, (time: number) => INodeExecutionData[], object]>([
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
	async (_what, make, parameters) => {
		let runs = 0;
		list.makeItems = () => Promise.resolve(make((runs += 1)));
		const crashed = await killed.killedInSending(() => start({ parameters: { ...parameters } }));
		const before = accepted().length;
		const errors = errorsOf(await over(crashed.retry()));
		expect(accepted()).toHaveLength(before);
		expect(errors).toHaveLength(3);
		expect(errors).not.toContainEqual(INTERRUPTED);
	},
);

test('the error of a node that fails names the item, what happened, and what to do', async () => {
	const crashed = await killed.killedInSending(() => start({ words: words(3), node: {} }));
	const failed = await settle(crashed.retry());
	expect(failed.error?.message).toEqual(textWith('[item '));
	expect(failed.error?.description).toEqual(textWith('Check the web app'));
});
