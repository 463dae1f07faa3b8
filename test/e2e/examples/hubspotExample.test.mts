import { beforeEach, expect, test } from 'vitest';

import type { Execution } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import type { HubspotDeal } from '../../support/products/hubspot.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { hubspot } = stage.products;
const { tasks } = stage.sandbox;

const poll = 'Every Five Minutes';
const status = ({ properties }: HubspotDeal): string | undefined => properties.nda_status;
const parked = { status: 'completed' };
const isOpen = (task: Task): boolean => task.status !== 'completed' && !task.archived;

beforeEach(() => {
	stage.answer('completed', 'Here it is.', 'NDA Meridian.docx');
});

/** Publishes the example so that each wait for the lawyer takes so many seconds, and has it draft what is requested. */
async function draft(questions = 1, seconds = 10): Promise<void> {
	await stage.publish('hubspot-nda.json', {
		'"maxWait":525600': `"maxWait":${seconds / 60}`,
		'"waitBetweenTries":5000': '"waitBetweenTries":0',
	});
	await sweep(questions);
}

async function sweep(questions = 1): Promise<void> {
	await stage.run(poll);
	if (questions > 0) await stage.answered(questions);
}

/** What became of the executions for the deals, once all are over. */
async function deals(count = 1): Promise<Execution[]> {
	return (await stage.settled(count + 1)).filter(({ runs }) => runs['A Deal'] !== undefined);
}

/** The newest task about something, once there is one and its deal is with legal. */
async function toDecide(about = 'Approve'): Promise<Task> {
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
function write(task: Task, decision: string, change: Partial<Task> = parked): void {
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
	await draft(1, 30);
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
	['only completes the task', '', parked],
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

test.each([
	['declined', 'filtered', []],
	['answered with two files', 'completed', ['a.docx', 'b.docx']],
] as const)(
	'a request that is %s is written by a lawyer: once the file is attached by hand and the task completed, all is done',
	async (_what, outcome, files) => {
		const deal = hubspot.request('101');
		stage.answer(outcome, 'Here.', ...files);
		await draft(outcome === 'filtered' ? 0 : 1);
		const task = await toDecide();
		expect(task.description).toMatch(/^Legal AI did not draft it: /);
		deal.properties.nda_status = 'ready_to_sign';
		write(task, 'as drafted');
		await deals();
		expect([deal.files, tasks.ordered().length]).toEqual([[], 1]);
	},
);

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
	await draft(5, 15);
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

test.each([
	['the key has expired: the deal says so', () => void stage.expireKey(), 'failed', 'requested'],
	[
		"the deal can't be marked",
		() => {
			stage.products.refuse(/^PUT api\.hubapi\.com\/deals/, 429, 1);
		},
		'requested',
		'requested',
	],
	[
		'n8n stopped two hours ago, when the deal had a task and did not know of it',
		({ properties, id }: HubspotDeal) => {
			properties.nda_status = 'details_missing';
			tasks.create({ title: 'Approve', tags: ['hubspot', `hubspot-${id}`] });
		},
		'details_missing',
		'drafting',
	],
])('%s, nothing is asked, and the next run drafts the NDA', async (_what, fail, marked, after) => {
	const deal = hubspot.request('101');
	fail(deal);
	await draft(0);
	await stage.settled(1);
	expect([status(deal), stage.sandbox.questions.length]).toEqual([marked, 0]);
	stage.sandbox.faults.clear();
	deal.properties.nda_status = after;
	deal.changedAt -= 7_300_000;
	await sweep();
	write(await toDecide(), 'as drafted');
	await deals(2);
	expect([status(deal), tasks.ordered().filter(isOpen)]).toEqual(['ready_to_sign', []]);
});

test.each([
	['once: it is attached', /crm\/v3\/objects\/notes/, 1, 'ready_to_sign', []],
	[
		'for long: a task asks the lawyer to finish it',
		/hubapi\.com\/(files|deals)/,
		Infinity,
		'with_legal',
		['Finish the NDA of the deal Deal 101 in HubSpot by hand'],
	],
] as const)(
	'HubSpot fails after the approval, %s',
	async (_what, address, times, expected, more) => {
		const deal = hubspot.request('101');
		await draft();
		const task = await toDecide();
		stage.products.refuse(address, 503, times);
		write(task, 'as drafted');
		await deals();
		expect([status(deal), stage.taskTitles()]).toEqual([expected, [task.title, ...more]]);
	},
);
