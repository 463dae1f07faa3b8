import { randomInt, randomUUID } from 'node:crypto';

import { bundledContract } from '../../../harness/examples.mts';
import { until } from '../../../harness/polling.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import type { HubspotDeal } from '../../support/products/hubspot.mts';
import type { JiraAttachment, JiraRequest } from '../../support/products/jira.mts';
import { Stage } from '../../support/products/stage.mts';
import { textLike, textWith } from '../../support/matchers.mts';

const stage = await Stage.ofThisFile();
const { hubspot, jira } = stage.products;
const { tasks } = stage.sandbox;

const poll = 'Every Five Minutes';

describe('jira-contracts.json', () => {
	const everyFourSeconds = Array.from({ length: 15 }, (_, index) =>
		JSON.stringify({ mode: 'custom', cronExpression: `${index * 4} * * * * *` }),
	).join();

	/** A file has an ID that no file had before. */
	async function attach(name: 'mutual-nda.pdf' | 'services-agreement.docx' = 'mutual-nda.pdf') {
		return { id: randomUUID(), ...(await bundledContract(name)) };
	}

	/** A request with a key that no request had before: the example remembers them all. */
	const request = (summary = 'NDA', ...files: JiraAttachment[]) =>
		jira.create(`LEGAL-${randomInt(1e9)}`, summary, ...files);
	const review = (name: string, words: string): unknown =>
		textWith(`Review of ${name}, written by an AI. Nobody has checked it yet.\n\n${words}`);
	const internal = ({ comments }: JiraRequest) =>
		comments.filter(({ isPublic }) => !isPublic).map(({ text }) => text);
	const told = ({ comments }: JiraRequest) =>
		comments.filter(({ isPublic }) => isPublic).map(({ text }) => text);
	const contexts = () => tasks.ordered().map(({ additional_context }) => additional_context);

	/** Publishes the example; two hours pass at once in it, if told so. */
	async function publish(hours = '{ hours: 2 }') {
		await stage.publish('jira-contracts.json', {
			'{"mode":"everyMinute"}': everyFourSeconds,
			'{ hours: 2 }': hours,
		});
	}

	/** Has the workflow find what is new, and ask so many questions, which are answered. Returns how the executions for the requests ended. */
	async function sweep(questions = 0) {
		await stage.run(poll);
		if (questions > 0) await stage.answered(questions);
		return (await stage.settled(1))
			.filter(({ runs }) => runs['A Request'] !== undefined)
			.map(({ status }) => status);
	}

	beforeEach(() => {
		stage.answer('completed', 'Liability is unlimited.');
	});

	test('each request, on all pages, becomes a task with a link to it; the reviews of its contracts are internal comments and in the task; and all of it once', async () => {
		const picture = { fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG') };
		const each = request('Two contracts', await attach(), await attach('services-agreement.docx'), {
			id: randomUUID(),
			...picture,
		});
		const others = [request(), request()];
		await publish();
		await sweep(2);
		expect(await sweep()).toEqual(['success', 'success', 'success']);
		expect([...jira.queries]).toEqual([textLike(/^project = LEGAL AND statusCategory/)]);
		expect(stage.taskTitles()).toEqual(
			[each, ...others].map(({ key, summary }) => `${key}: ${summary}`).sort(),
		);
		const task = tasks.ordered().find(({ tags }) => tags.includes(`jira-${each.key}`));
		expect(task?.description).toBe(
			`https://legal.atlassian.net/browse/${each.key}\n\nPlease review.`,
		);
		expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now() + 2 * 86_400_000);
		expect(internal(each)).toEqual(
			['mutual-nda.pdf', 'services-agreement.docx'].map((name) =>
				review(name, 'Liability is unlimited.'),
			),
		);
		for (const text of internal(each)) expect(task?.additional_context).toContain(text);
		expect(told(each)).toEqual([
			textWith(`The legal team has your request: ${task?.display_id ?? ''}.`),
		]);
	});

	test('a file that is attached later is reviewed, and its review is added to the task', async () => {
		const first = request('NDA', await attach());
		await publish();
		await sweep(1);
		const later = jira.create(
			first.key,
			'NDA',
			...first.attachments,
			await attach('services-agreement.docx'),
		);
		await sweep(1);
		expect([internal(later).length, stage.sandbox.questions.length]).toEqual([1, 2]);
		for (const name of ['mutual-nda.pdf', 'services-agreement.docx'])
			expect(contexts()).toEqual([review(name, 'Liability is unlimited.')]);
	});

	test('the team learns in the request and in the task if a review failed', async () => {
		const reason = textWith('The file is damaged.');
		stage.answer('error', 'The file is damaged.');
		const each = request('NDA', await attach());
		await publish();
		await sweep(1);
		expect([internal(each), contexts()]).toEqual([[reason], [reason]]);
	});

	test('the key has expired: the customer reads once that it takes longer, each try fails, and two hours after the key works there is one task with the review', async () => {
		const each = request('NDA', await attach());
		await publish('{ seconds: 0 }');
		stage.expireKey();
		await sweep();
		expect(await sweep()).toEqual(['error', 'error']);
		expect(told(each)).toEqual([textWith("can't be reached at the moment")]);
		stage.sandbox.faults.clear();
		await sweep(1);
		expect([stage.taskTitles().length, told(each).length, internal(each).length]).toEqual([
			1, 2, 1,
		]);
	});

	test('the task does not take a review: it is in the request, the execution fails, and it is not asked again', async () => {
		const each = request('NDA', await attach());
		await publish('{ seconds: 0 }');
		stage.sandbox.faults.add({
			status: 403,
			match: 'PATCH /tasks/:task_id',
			times: Infinity,
		});
		await sweep(1);
		expect(await sweep()).toEqual(['error']);
		expect(internal(each)).toEqual([review('mutual-nda.pdf', 'Liability is unlimited.')]);
	});

	test('tasks are completed or archived: their requests are resolved and their customers told, unless somebody was quicker; what is gone is reported; what is opened again becomes a new task', async () => {
		const [open, archived, byHand, gone] = [request(), request(), request(), request()];
		await publish('{ seconds: 0 }');
		await sweep();
		byHand.isResolved = true;
		jira.requests.delete(gone.key);
		for (const task of tasks.ordered()) {
			const isArchived = task.tags.includes(`jira-${archived.key}`);
			tasks.update(task, isArchived ? { archived: true } : { status: 'completed' });
		}
		const messages = (await stage.settled(7)).map(({ failure }) => failure?.message);
		expect(messages.filter((message) => message !== undefined)).toEqual([
			`${gone.key}: NDA: The resource you are requesting could not be found`,
		]);
		const said = [open, archived, byHand].map((each) => told(each).slice(1));
		expect(said).toEqual([
			[textWith('completed your request')],
			[textWith('closed your request')],
			[],
		]);
		for (const each of [open, byHand]) each.isResolved = false;
		await sweep();
		expect(stage.taskTitles()).toEqual(
			[open, open, byHand, byHand, archived, gone].map(({ key }) => `${key}: NDA`).sort(),
		);
	});
});

describe('hubspot-nda.json', () => {
	const status = ({ properties }: HubspotDeal) => properties.nda_status;
	const parked = { status: 'completed' };
	const isOpen = (task: Task) => task.status !== 'completed' && !task.archived;

	beforeEach(() => {
		stage.answer('completed', 'Here it is.', 'NDA Meridian.docx');
	});

	/** Publishes the example, and has it draft what is requested. */
	async function draft(questions = 1) {
		await stage.publish('hubspot-nda.json');
		await sweep(questions);
	}

	async function sweep(questions = 1) {
		await stage.run(poll);
		if (questions > 0) await stage.answered(questions);
	}

	/** What became of the executions for the deals, once all are over. */
	async function deals(count = 1) {
		return (await stage.settled(count + 1)).filter(({ runs }) => runs['A Deal'] !== undefined);
	}

	/** The newest task about something, once there is one and its deal is with legal. */
	async function toDecide(about = 'Approve') {
		return await until(
			'a task to decide',
			() =>
				Promise.resolve(
					tasks
						.ordered()
						.find(
							({ title, archived, id }) =>
								title.includes(about) &&
								!archived &&
								[...hubspot.deals.values()].some(({ properties }) =>
									properties.nda_task?.endsWith(id),
								),
						),
				),
			{ timeout: 60_000 },
		);
	}

	/** Writes a decision below the description of a task, and completes the task unless told otherwise. */
	function write(task: Task, decision: string, change: Partial<Task> = parked) {
		tasks.update(task, { description: `${task.description ?? ''} ${decision}`, ...change });
	}

	test('a requested NDA is drafted, and attached as ready to sign only once a lawyer approved it as drafted, and once, although the search is late', async () => {
		const deal = hubspot.request('101');
		hubspot.stale.add(deal.id);
		await draft();
		const task = await toDecide('Approve the NDA with Meridian Analytics, Inc., 1 Main Street');
		expect(task.description).toMatch(
			/^Written by Legal AI\. Nobody has checked it yet: NDA Meridian\.docx, in http[^]*\/62515\/record\/0-3\/101/,
		);
		expect(Date.parse(task.complete_by ?? '')).toBeGreaterThan(Date.now() + 2 * 86_400_000);
		await stage.run(poll);
		expect([status(deal), deal.files]).toEqual(['with_legal', []]);
		write(task, '"As drafted".');
		await deals(2);
		expect([status(deal), deal.files, deal.notes]).toEqual([
			'ready_to_sign',
			['NDA Meridian.docx'],
			[
				`Drafted by Legal AI, and approved by the legal team as drafted in ${task.display_id}: NDA Meridian.docx`,
			],
		]);
		expect([stage.sandbox.questions.length, tasks.ordered().length]).toEqual([1, 1]);
	});

	test('an NDA that is requested again with another address has one open task, and only what is approved there is attached', async () => {
		const deal = hubspot.request('101');
		await draft();
		const first = await toDecide('1 Main Street');
		Object.assign(deal.properties, { nda_status: 'requested', nda_address: '2 Side Street' });
		stage.answer('completed', 'Here it is.', 'NDA 2.docx');
		await sweep();
		const second = await toDecide('2 Side Street');
		expect(tasks.get(first.id).archived).toBe(true);
		write(first, 'as drafted');
		write(second, 'as drafted');
		await deals(3);
		expect([status(deal), deal.files, tasks.ordered().length]).toEqual([
			'ready_to_sign',
			['NDA 2.docx'],
			2,
		]);
	});

	test('n8n is off for hours while an NDA is drafted: it is drafted again, and one task is open', async () => {
		const deal = hubspot.request('101');
		await draft(0);
		await stage.sandbox.waitForQuestion(() => true);
		deal.changedAt -= 7_300_000;
		await sweep(0);
		const { questions } = stage.sandbox;
		await stage.sandbox.waitForQuestion(() => questions.length === 2);
		for (const { id, callbackUrl } of questions) {
			await stage.parked(callbackUrl);
			await stage.sandbox.complete(id);
			await until('its task', () =>
				Promise.resolve(
					tasks.ordered().length > questions.findIndex((each) => each.id === id) || undefined,
				),
			);
		}
		expect(tasks.ordered().filter(isOpen)).toHaveLength(1);
	});

	test('the name of the party is corrected while the lawyer reads: the old draft is not attached, and a new one is made', async () => {
		const deal = hubspot.request('101');
		await draft();
		const task = await toDecide();
		deal.properties.nda_party = 'Meridian Analytics LLC';
		write(task, 'as drafted');
		await deals();
		expect([status(deal), deal.files]).toEqual(['requested', []]);
		await sweep();
		expect(stage.sandbox.questions[1]?.text).toContain('Meridian Analytics LLC');
		write(await toDecide('Meridian Analytics LLC'), 'as drafted');
		await deals(3);
		expect([status(deal), deal.files.length]).toEqual(['ready_to_sign', 1]);
	});

	test.each([
		["says that it can't be signed as drafted", "As drafted, it can't be signed.", parked],
		['archives the task', 'as drafted', { ...parked, archived: true }],
	])(
		'a lawyer who %s does not send out the draft: a second task asks for the file',
		async (_what, words, change) => {
			const deal = hubspot.request('101');
			await draft();
			write(await toDecide(), words, change);
			const second = await toDecide('No NDA is attached to the deal Deal 101 yet');
			expect([status(deal), deal.files]).toEqual(['with_legal', []]);
			deal.properties.nda_status = 'ready_to_sign';
			write(second, '');
			await deals();
			expect([deal.files, tasks.ordered().length]).toEqual([[], 2]);
		},
	);

	test('a request that is answered with two files is written by a lawyer: once the file is attached by hand and the task completed, all is done', async () => {
		const deal = hubspot.request('101');
		stage.answer('completed', 'Here.', 'a.docx', 'b.docx');
		await draft();
		const task = await toDecide();
		expect(task.description).toMatch(/^Legal AI did not draft it: /);
		deal.properties.nda_status = 'ready_to_sign';
		write(task, 'as drafted');
		await deals();
		expect([deal.files, tasks.ordered().length]).toEqual([[], 1]);
	});

	test('five are requested at once, on two pages: each gets its own draft as soon as it is approved, and whoever left out the address sees that', async () => {
		const requested = ['1', '2', '3', '4', '5'].map((id) =>
			hubspot.request(id, { nda_party: `Party ${id}` }),
		);
		const incomplete = hubspot.request('6', { nda_address: ' ' });
		stage.sandbox.settings.answer = ({ text }) => {
			const fileName = `NDA ${/Party \d/.exec(text)?.[0] ?? ''}.docx`;
			return {
				status: 'completed',
				answer: 'Here.',
				attachments: [{ fileName, contentType: 'application/msword', content: Buffer.from('x') }],
			};
		};
		await draft(5);
		for (const { id } of requested) write(await toDecide(`Party ${id}`), 'as drafted');
		await deals(6);
		expect(requested.map(({ files }) => files)).toEqual(
			requested.map(({ id }) => [`NDA Party ${id}.docx`]),
		);
		expect([...requested, incomplete].map(status)).toEqual([
			...Array<string>(5).fill('ready_to_sign'),
			'details_missing',
		]);
	});

	test('the key has expired: the deal says so, nothing is asked, and the next run drafts the NDA', async () => {
		const deal = hubspot.request('101');
		stage.expireKey();
		await draft(0);
		await stage.settled(1);
		expect([status(deal), stage.sandbox.questions.length]).toEqual(['failed', 0]);
		stage.sandbox.faults.clear();
		deal.properties.nda_status = 'requested';
		deal.changedAt -= 7_300_000;
		await sweep();
		write(await toDecide(), 'as drafted');
		await deals(2);
		expect([status(deal), tasks.ordered().filter(isOpen)]).toEqual(['ready_to_sign', []]);
	});

	test('HubSpot fails for long after the approval: a task asks the lawyer to finish it', async () => {
		const deal = hubspot.request('101');
		await draft();
		const task = await toDecide();
		stage.products.refuse(/hubapi\.com\/(files|deals)/, 503);
		write(task, 'as drafted');
		await deals();
		const finish = 'Finish the NDA of the deal Deal 101 in HubSpot by hand';
		expect([status(deal), stage.taskTitles()]).toEqual(['with_legal', [task.title, finish]]);
	});
});
