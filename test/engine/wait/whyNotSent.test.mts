import type { INodeExecutionData } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import { askedAbout, itemsWithContracts } from '../../support/wait/contracts.mts';
import { killing, list, words } from '../../support/wait/killing.mts';
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

const FALSE_REASON = textWith('Sending was interrupted when n8n stopped');
const isUpload = ({ method }: LoggedRequest) => method === 'PUT';

/** The errors of the items that came out with one. */
const errorsOf = (execution: Execution): unknown[] =>
	execution.itemsOf(AFTER).flatMap(({ json }) => (json.error === undefined ? [] : [json.error]));

test('of the items that n8n was killed over as they were sent, it says that sending was interrupted', async () => {
	const crashed = await killed.killedInSending(() => start({ words: words(3) }));
	expect(errorsOf(await over(crashed.retry()))).toEqual([FALSE_REASON, FALSE_REASON, FALSE_REASON]);
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
	expect(errors).not.toContainEqual(FALSE_REASON);
	expect(sandbox.questions).toHaveLength(1);
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
	expect(rejected?.json.error).not.toEqual(FALSE_REASON);
	expect(accepted().filter((text) => text === 'Words 1')).toHaveLength(1);
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
		expect(errors).not.toContainEqual(FALSE_REASON);
	},
);

test('the error of a node that fails names the item, what happened, and what to do', async () => {
	const crashed = await killed.killedInSending(() => start({ words: words(3), node: {} }));
	const failed = await settle(crashed.retry());
	expect(failed.error?.message).toEqual(textWith('[item '));
	expect(failed.error?.description).toEqual(textWith('Check the web app'));
});
