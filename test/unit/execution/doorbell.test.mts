import { randomUUID } from 'node:crypto';

import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import {
	decideRing,
	type Heard,
	resumeByCallback,
} from '../../../nodes/LegalAi/execution/doorbell.ts';
import {
	beginEntry,
	type Entry,
	markFailed,
	type Open,
} from '../../../nodes/LegalAi/execution/entry.ts';

/* What follows from a callback. What the node does then: test/engine/wait/ring.test.mts. */

const SECOND = 1_000;
const WAKE_AT = 300 * SECOND;

const openAs = (ringName: string | undefined, more: Partial<Open> = {}): Open => ({
	state: 'open',
	record: { id: `question ${ringName}` },
	acceptedAt: 0,
	answerBy: Infinity,
	ringName,
	...more,
});

const [first, second] = [openAs('first'), openAs('second')];

const parkedWith = (entries: Entry[]) => ({
	version: 5 as const,
	id: 'ledger',
	executionId: '1',
	parameters: '',
	entries,
	notices: { hints: [], sent: {} },
	wake: { id: randomUUID(), wakeAt: WAKE_AT, round: 0 },
});

/** What follows as "first" rings. */
const ringFirst = (
	entries: Entry[],
	{ now = SECOND, hasContinued = false, rang = [] as Entry[] } = {},
) => {
	const heard: Heard = { now, hasContinued, hasRung: (entry) => rang.includes(entry) };
	return decideRing(parkedWith(entries), 'first', heard);
};

test.each([
	['continues if it is the only open one', [first], {}, 'resume'],
	['continues if all others have rung', [first, second], { rang: [second] }, 'resume'],
	['is noted until the others ring', [first, second], {}, 'noted'],
	['is not held up by what rings at another execution', [first, openAs(undefined)], {}, 'resume'],
	['is not held up by what has failed', [first, markFailed(second, {})], {}, 'resume'],
	[
		'is not held up by what is past its time',
		[first, openAs('second', { answerBy: 0 })],
		{},
		'resume',
	],
	['is noted while others wait for the limits', [first, beginEntry()], {}, 'noted'],
	[
		'continues if the next one of its session waits for it',
		[openAs('first', { session: 's' }), second, beginEntry({ session: 's' })],
		{},
		'resume',
	],
	['is noted shortly before a planned wake', [first], { now: WAKE_AT - 9 * SECOND }, 'noted'],
	['is noted if the execution has continued since', [first], { hasContinued: true }, 'noted'],
	[
		'is noted if it was looked at within the last minute',
		[openAs('first', { laterLooks: [] })],
		{},
		'noted',
	],
	['is unknown if nothing open has its name', [second], {}, 'unknown'],
] as const)('a ring %s', (_what, entries, heard, wanted) => {
	expect(ringFirst([...entries], { ...heard, rang: 'rang' in heard ? [...heard.rang] : [] })).toBe(
		wanted,
	);
});

/** The stack entry of an execution that is parked with these entries. */
const parkedEntry = (ledger: object) => ({ data: { legalAi: [[{ json: ledger }]] } });

/** A callback with this name for an execution with this stack: what the node responds, and what n8n's log has. */
async function receive(q: string, nodeExecutionStack: object[]) {
	const responses: [status: number, body: unknown][] = [];
	const log: string[] = [];
	const context: unknown = {
		runExecutionData: {
			executionData: { contextData: {}, nodeExecutionStack },
			resultData: { runData: {} },
		},
		getQueryData: (): IDataObject => ({ q }),
		getNode: () => ({ name: 'Legal AI' }),
		getResponseObject: () => ({
			status: (status: number) => ({ json: (body: unknown) => responses.push([status, body]) }),
		}),
		logger: {
			debug: (line: string) => log.push(line),
			error: (line: string) => log.push(`error: ${line}`),
		},
	};
	const output = await resumeByCallback.call(context as IWebhookFunctions);
	return { output, responses, log };
}

describe('the node answers a callback', () => {
	beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 100 * SECOND }));
	afterEach(() => vi.useRealTimers());

	test('that continues the execution through n8n, and logs which items are looked at', async () => {
		const ledger = parkedWith([openAs('last'), markFailed(openAs('failed'), {})]);
		const { output, responses, log } = await receive('last', [parkedEntry(ledger)]);
		expect(output).toEqual({ webhookResponse: { message: 'Accepted.' }, workflowData: [] });
		expect(responses).toEqual([]);
		expect(log).toEqual([
			'Legal AI, execution 1, ring of "last": resume',
			expect.stringMatching(/^Legal AI, execution 1, item 0: open -> open \{.*"lookAt":/),
		]);
	});

	test.each([
		['that is noted', 'one', [openAs('one'), openAs('two')], 'ring of "one": noted'],
		[
			'with a name that nothing has, which is not logged',
			'<b>',
			[openAs('three')],
			'ring: unknown',
		],
	])('%s itself', async (_, name, entries, line) => {
		const { output, responses, log } = await receive(name, [parkedEntry(parkedWith(entries))]);
		expect(output).toEqual({ noWebhookResponse: true });
		expect(responses).toEqual([[200, { message: 'Accepted.' }]]);
		expect(log).toEqual([`Legal AI, execution 1, ${line}`]);
	});

	test('for an execution that is not parked at this node itself', async () => {
		const { output, responses, log } = await receive('any', [{ data: {} }]);
		expect(output).toEqual({ noWebhookResponse: true });
		expect(responses).toEqual([[200, { message: 'Accepted.' }]]);
		expect(log).toEqual(['Legal AI, execution undefined, ring: unknown']);
	});

	test('for what another version has stored with an error, and logs the IDs of records alone', async () => {
		const older = { version: 4, entries: [{ record: { id: 'q1' }, other: { id: 'x' }, id: 'y' }] };
		const { output, responses, log } = await receive('any', [parkedEntry(older)]);
		expect(output).toEqual({ noWebhookResponse: true });
		expect(responses).toEqual([[503, { message: 'The callback could not be processed.' }]]);
		expect(log).toEqual([
			expect.stringMatching(/^error: Legal AI could not process a callback: .* IDs: q1\.$/),
		]);
	});
});

describe("if the clock of the process that looked is ahead of that of n8n's main process", () => {
	beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: 100 * SECOND }));
	afterEach(() => vi.useRealTimers());

	/** The entries, as n8n stores them once callbacks with these names have arrived. */
	const entriesAfterRings = async (names: string[], entries: Entry[]) => {
		const ledger = parkedWith(entries);
		for (const name of names) await receive(name, [parkedEntry(ledger)]);
		return ledger.entries;
	};
	const lookedAt = 103 * SECOND;

	test('what continues the execution by its ring is looked at', async () => {
		const entries = await entriesAfterRings(['ahead'], [openAs('ahead', { lookedAt })]);
		expect(entries).toMatchObject([{ lookAt: 100 * SECOND }]);
	});

	test('so is what had rung before', async () => {
		const names = ['ahead before', 'ahead last'];
		const entries = await entriesAfterRings(
			names,
			names.map((name) => openAs(name, { lookedAt })),
		);
		expect(entries).toMatchObject([{ lookAt: 100 * SECOND }, { lookAt: 100 * SECOND }]);
	});
});
