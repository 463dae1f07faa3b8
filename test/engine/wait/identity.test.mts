import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { chain, node } from '../../../harness/workflows.mts';
import type { LoggedRequest } from '../../sandbox/requests.mts';
import {
	answerAbout,
	askedAbout,
	createContract,
	findContracts,
	itemsWithContracts,
	itemWithContract,
	outcomes,
} from '../../support/wait/contracts.mts';
import { FileStore } from '../../support/wait/fileStore.mts';
import {
	AFTER,
	ASK,
	asking,
	BEFORE,
	continuing,
	type Killed,
	legalAiNode,
	NODE,
	PASS_ON,
	questions,
	runWorkflow,
	test,
	type Wait,
	workflowAround,
} from '../../support/fixtures.mts';
import { buildWorkflow } from '../../support/wait/killed.mts';

/*
 * Each item is itself, whatever it has in common with others: scenarios O to R of the specification in once.test.mts. The tests look at
 * which item was asked with which file, and which answer came out with it.
 */

const SECOND = 1_000;

const allFiles = { attachments: { attachment: [{ source: 'allBinary' }] } };
const anyFiles = { ...allFiles, options: { noFileFound: 'ask' } };
const isUpload = ({ method }: LoggedRequest) => method === 'PUT';
const isOfLength = ({ headers }: LoggedRequest, { length }: Buffer) =>
	headers['content-length'] === String(length);

/** n8n is killed once one question was asked: of all uploads, only that which arrives after so many others came to its end. */
async function killedAfterOnePost(
	{ wait, kill }: Killed,
	run: () => Promise<unknown>,
	uploadsBefore: number,
) {
	const { service, clock } = wait;
	if (uploadsBefore > 0)
		service.faults.add({ kind: 'hang', match: isUpload, times: uploadsBefore });
	service.faults.add({ kind: 'hang', match: isUpload, skip: 1, times: Infinity });
	const before = service.questions.length;
	void run();
	await clock.settle(
		service.waitForRequest(
			({ route, ended }) => route === ASK && ended && service.questions.length > before,
		),
	);
	const execution = await kill();
	service.faults.clear();
	return execution;
}

describe('O: of five items with one prompt and files of one name and size,', () => {
	const parties = ['Ada', 'Ben', 'Cat', 'Dan', 'Eve'];
	test.beforeEach(({ killed }) => {
		FileStore.ofTest();
		killed.list.makeItems = () => itemsWithContracts(parties);
	});

	test.for([0, 1, 2, 3, 4])(
		'killed after a single POST, that of upload %i, a retry asks the four that were not asked, and that one comes out as an error',
		async (uploadsBefore, { service, killed }) => {
			const crashed = await killedAfterOnePost(
				killed,
				() => killed.start({ parameters: allFiles }),
				uploadsBefore,
			);
			const [sent] = askedAbout(service, parties);
			const retried = await killed.finish(crashed.retry());
			expect(askedAbout(service, parties).toSorted()).toEqual(parties);
			expect(retried.readItems(AFTER).map(({ json }) => json.error === undefined)).toEqual(
				parties.map((whose) => whose !== sent),
			);
		},
	);

	test('a retry of a retry that was killed as well asks what neither of them has', async ({
		service,
		killed,
	}) => {
		const first = await killedAfterOnePost(killed, () => killed.start({ parameters: allFiles }), 4);
		const second = await killedAfterOnePost(killed, () => first.retry(), 2);
		await killed.finish(second.retry());
		expect(askedAbout(service, parties).toSorted()).toEqual(parties);
	});
});

describe('P: if n8n has no free slot as a check is due, and continues twice from the older state, of two nodes in a row with one prompt', () => {
	const parties = ['Ada', 'Benno', 'Claire'];

	/** The first node's answers are there, and n8n wakes the execution each minute until it has a slot. The second node then asks. */
	async function throughTwoNodes(wait: Wait, second: INodeParameters, delayed: string) {
		const { service, n8n, clock } = wait;
		const ask = (name: string, question: string, more: INodeParameters = {}) =>
			legalAiNode({
				parameters: { ...asking, question, ...allFiles, ...more },
				node: { id: name, name },
			});
		const workflow = chain('Two in a row', [
			node(BEFORE, PASS_ON, {}),
			ask('Outline', 'Outline it'),
			ask(NODE, '', second),
			node(AFTER, PASS_ON, {}),
		]);
		const items = await itemsWithContracts(parties);
		const parked = await clock.settle(runWorkflow(workflow, { service, n8n, items }));
		await answerAbout(wait, parties);
		service.faults.add({
			kind: 'latency',
			ms: 5 * SECOND,
			match: (request) => isUpload(request) && isOfLength(request, createContract(delayed)),
		});
		await wait.whileBusy(parked);
		await clock.pass(30 * SECOND);
		expect(n8n.database.get(parked.id).status).toBe('waiting');
		const asked = service.questions.filter(({ text }) => text.startsWith('Review'));
		await answerAbout(wait, parties);
		await n8n.wake(parked.id);
		const ended = await clock.settle(
			n8n.endings.waitFor(({ id, status }) => id === parked.id && status === 'success'),
		);
		return { asked: asked.flatMap((each) => findContracts(each, parties)), ended };
	}

	test.for(parties)(
		'each item comes out with the answer about its own file, and is asked once, though the upload of one takes longer: %s',
		async (delayed, { wait }) => {
			const { asked, ended } = await throughTwoNodes(wait, { question: 'Review it' }, delayed);
			expect(asked.toSorted()).toEqual(parties);
			expect(outcomes(ended)).toEqual(parties.map((whose) => `Review: ${whose}`));
		},
	);

	test('the same holds if the text differs each time', async ({ wait }) => {
		const { asked, ended } = await throughTwoNodes(
			wait,
			{ question: '=Review it as of {{ $now.toMillis() }}' },
			'Ada',
		);
		expect(asked.toSorted()).toEqual(parties);
		expect(outcomes(ended)).toEqual(parties.map((whose) => `Review: ${whose}`));
	});
});

test('of a batch of which n8n sends the rest from an older state, what one item has sent is never taken for what another sends', async ({
	service,
	wait,
}) => {
	service.settings.newSessionsPerMinute = 60;
	const parties = ['Ada', 'Benno'];
	const others = questions(88);
	const items = [...others, ...(await itemsWithContracts(parties))];
	const parked = await wait.ask({ items, fields: anyFiles, node: continuing });
	expect(parked.status).toBe('waiting');
	expect(service.questions.length).toBeLessThan(others.length);
	service.settings.newSessionsPerMinute = Infinity;
	// With a new address, too: this run can not send it.
	service.faults.add({
		status: 400,
		match: (request) => isUpload(request) && isOfLength(request, createContract('Ada')),
		times: 2,
	});
	await wait.whileBusy(parked);
	expect(askedAbout(service, parties).toSorted()).toEqual(parties);
});

describe('Q: items that differ only in whom to answer', () => {
	const people = ['ann@example.com', 'ben@example.com', 'cat@example.com'];
	const makeItems = async () =>
		await Promise.all(
			people.map((to) => itemWithContract('all of them', { words: 'Review this', to })),
		);
	/** All files are the same, and so are the bodies but for their callback URL. */
	const run = async (killed: Killed, parameters: INodeParameters) => {
		killed.list.makeItems = makeItems;
		const crashed = await killedAfterOnePost(
			killed,
			() => killed.start({ parameters: { ...allFiles, ...parameters } }),
			2,
		);
		await killed.finish(crashed.retry());
	};

	test('by *Callback URL*: a retry asks for those who were not asked for', async ({
		service,
		killed,
	}) => {
		await run(killed, {
			callbackTarget: 'url',
			callbackUrl: '=https://answers.example.com/{{ $json.to }}',
		});
		expect(
			service.questions.map(({ callbackUrl = '' }) => callbackUrl.split('/').at(-1)).toSorted(),
		).toEqual(people);
	});

	test('by *Pass Along*: each of them is answered once', async ({
		clock,
		killed,
		service,
		listen,
	}) => {
		const { workflowId, waitForExecution } = await listen();
		await run(killed, {
			callbackTarget: 'workflow',
			callbackWorkflow: workflowId,
			passAlong: { value: [{ name: 'to', value: '={{ $json.to }}' }] },
		});
		const answered = [];
		for (const { id } of service.questions) {
			await clock.settle(service.complete(id));
			const execution = await clock.settle(
				waitForExecution((each) => each.readItems(NODE)[0]?.json.id === id),
			);
			answered.push((execution.readItems(NODE)[0]?.json.passed_along as { to: string }).to);
		}
		expect(answered.toSorted()).toEqual(people);
	});
});

describe('R: in a loop whose rounds ask the same', () => {
	const parties = ['Ada', 'Ben', 'Cat'];

	test.for([1, 2])(
		'of different files, with one item more on top of the list, a retry asks nothing again that was asked in the %i rounds before a kill',
		async (rounds, { service, killed }) => {
			const parameters = allFiles;
			let found = parties;
			killed.list.makeItems = () => itemsWithContracts(found);
			const crashed = await killed.killWhileSending(
				() => killed.start({ parameters, isLooped: true }),
				{
					match: isUpload,
					skip: rounds,
				},
			);
			expect(askedAbout(service, parties)).toEqual(parties.slice(0, rounds));
			found = ['Zoe', ...parties];
			await killed.finish(crashed.retry());
			const asked = askedAbout(service, found);
			expect(asked).toEqual([...new Set(asked)]);
			expect(asked).toContain('Cat');
		},
	);

	test('of different files, of which one was rejected, a retry asks nothing again that was accepted', async ({
		service,
		killed,
	}) => {
		killed.list.makeItems = () => itemsWithContracts(parties);
		service.faults.add({ status: 422, match: ASK });
		const crashed = await killed.killWhileSending(
			() => killed.start({ parameters: allFiles, isLooped: true }),
			{ match: isUpload, skip: 2 },
		);
		expect(askedAbout(service, parties)).toEqual(['Ben']);
		await killed.finish(crashed.retry());
		expect(askedAbout(service, parties).filter((whose) => whose === 'Ben')).toHaveLength(1);
		expect(askedAbout(service, parties)).toContain('Cat');
	});

	test('of files by URLs that end alike, with one item more on top of the list, a retry asks nothing again that was sent', async ({
		service,
		killed,
	}) => {
		const urls = (from: readonly string[]): INodeExecutionData[] =>
			from.map((whose) => ({
				json: { words: 'Review this', url: `https://files.example.com/${whose}/contract.pdf` },
			}));
		let found = parties;
		killed.list.makeItems = () => Promise.resolve(urls(found));
		const parameters = {
			attachments: { attachment: [{ source: 'url', url: '={{ $json.url }}' }] },
		};
		const crashed = await killed.killWhileSending(
			() => killed.start({ parameters, isLooped: true }),
			{
				match: ({ route }) => route === ASK,
				skip: 2,
			},
		);
		found = ['Zoe', ...parties];
		await killed.finish(crashed.retry());
		expect(askedAbout(service, [])).toEqual(
			['Ada', 'Ben'].map((whose) => `https://files.example.com/${whose}/contract.pdf`),
		);
	});
});

test('the label of a record that was chosen from a list is no part of what tells an item: a retry with another label asks nothing again', async ({
	service,
	killed,
}) => {
	const choose = (cachedResultName: string): INodeParameters => ({
		playbook: { __rl: true, mode: 'list', value: 'playbook-nda', cachedResultName },
	});
	const parameters = choose('NDA');
	const crashed = await killed.killWhileSending(() => killed.start({ parameters }));
	const texts = service.questions.length;
	const renamed = { parameters: choose('NDA (renamed)') };
	const ended = await killed.finish(crashed.retry(buildWorkflow(renamed)));
	killed.expectOnce(ended, 6);
	expect(texts).toBe(2);
});

test('nor is it of one among the additional fields: a retry with another label creates no accepted task again', async ({
	service,
	run,
}) => {
	const { user_id: value } = service.organization.user;
	const parameters = (cachedResultName: string): INodeParameters => ({
		resource: 'task',
		operation: 'create',
		title: '={{ $json.title }}',
		additionalFields: { assignedTo: { __rl: true, mode: 'list', value, cachedResultName } },
	});
	const items = ['A', 'B'].map((title) => ({ json: { title } }));
	const refused = service.faults.add({ status: 400, match: 'POST /tasks', skip: 1 });
	const failed = await run('task.create', parameters('Ada'), { items });
	refused.remove();
	const renamed = legalAiNode({ parameters: parameters('Ada Okafor') });
	await failed.retry(workflowAround(renamed));
	const titles = service.tasks.ordered().map(({ title }) => title);
	expect(titles.filter((title) => /^[AB]$/.test(title)).toSorted()).toEqual(['A', 'B']);
});

test('nor is what decides about the output alone: a retry creates no task again that is no longer simplified', async ({
	service,
	run,
}) => {
	const parameters = (simplify: boolean): INodeParameters => ({
		...{ resource: 'task', operation: 'create', title: '={{ $json.title }}', simplify },
	});
	const items = ['A', 'B'].map((title) => ({ json: { title } }));
	const refused = service.faults.add({ status: 400, match: 'POST /tasks', skip: 1 });
	const failed = await run('task.create', parameters(true), { items });
	refused.remove();
	await failed.retry(workflowAround(legalAiNode({ parameters: parameters(false) })));
	const titles = service.tasks.ordered().map(({ title }) => title);
	expect(titles.filter((title) => /^[AB]$/.test(title)).toSorted()).toEqual(['A', 'B']);
});
