import { readFileSync, writeFileSync } from 'node:fs';

import type { IRunExecutionData } from 'n8n-workflow';

import { readData } from '../../support/engine/database.mts';
import { answerTo, deliver } from '../../support/engine/listening.mts';
import { onStoppedClock, settle, textWith } from '../../support/wait/onStoppedClock.mts';

/*
 * An execution that is parked outlives updates of the package. `stored/parked.json` is one as this version stores it, with an item
 * in each state. CONTRIBUTING.md says what to do if a change makes these tests fail.
 */

const FILE = new URL('stored/parked.json', import.meta.url);

const world = await onStoppedClock();
const { sandbox, ask, completeSilently, wakeInTime, posted } = world;

/** What n8n stores of a parked execution, and what its names stand for: another run of the same has other IDs. */
interface Stored {
	at: number;
	names: string[];
	data: IRunExecutionData;
}

/** Parks an execution of which one question is open, one has its turn after that, one is answered, one was rejected, and one may have been accepted. */
async function park(at = Date.now()) {
	vi.setSystemTime(at);
	await ask({ items: [{ json: { words: 'Opening' } }], fields: { operation: 'ask' } });
	await completeSilently('Opening');
	const session = sandbox.asked('Opening').sessionId ?? '';
	const lost = sandbox.organization.assistants.find(({ id }) => id !== 'default')?.id ?? '';
	const assistants: Record<string, string> = { Rejected: 'rejected', Lost: lost };
	const items = ['Open', 'In turn', 'Answered', 'Rejected', 'Lost'].map((words) => ({
		json: {
			words,
			session: words === 'Open' || words === 'In turn' ? session : '',
			assistant: assistants[words] ?? 'default',
		},
	}));
	const isOf = (assistant: string) => (request: { method: string; path: string }) =>
		request.method === 'POST' && request.path.includes(`/${assistant}/`);
	sandbox.faults.add({ status: 422, match: isOf('rejected') });
	sandbox.faults.add({ kind: 'reset', when: 'handled', match: isOf(lost) });
	const parked = await ask({
		items,
		fields: {
			assistantId: { __rl: true, mode: 'id', value: '={{ $json.assistant }}' },
			additionalFields: { sessionId: '={{ $json.session }}' },
		},
		node: { onError: 'continueRegularOutput' },
	});
	await completeSilently('Answered');
	const again = await wakeInTime(parked);
	const ids = ['Open', 'Answered'].map((text) => sandbox.asked(text).id);
	const data = readData(world.n8n.database.get(again.id));
	return { parked: again, stored: { at, names: [again.id, session, ...ids], data } };
}

const readStored = () => JSON.parse(readFileSync(FILE, 'utf8')) as Stored;

/** Has n8n's database have the stored execution, with these changes of its text, in place of one that was parked just now. */
async function parkStored(change = (text: string) => text) {
	const { at } = readStored();
	const { parked, stored } = await park(at);
	if (process.env.STORE_PARKED === 'yes')
		writeFileSync(FILE, `${JSON.stringify(stored, null, '\t')}\n`);
	const { names, data } = readStored();
	const text = names.reduce(
		(renamed, name, index) => renamed.replaceAll(`"${name}"`, `"${stored.names[index] ?? ''}"`),
		JSON.stringify(data),
	);
	world.n8n.database.update(parked.id, { data: JSON.parse(change(text)) as IRunExecutionData });
	return parked;
}

test('an execution that an earlier version of the package has parked goes on as if this one had', async () => {
	const parked = await parkStored();
	const sent = posted();
	await completeSilently('Open');
	const again = await wakeInTime(parked);
	await completeSilently('In turn');
	const over = await wakeInTime(again);
	expect([over.status, posted() - sent]).toEqual(['success', 1]);
	expect(over.json.map(({ answer, error }) => answer ?? error)).toEqual([
		'Answer to Open',
		'Answer to In turn',
		'Answer to Answered',
		textWith('[item 3]'),
		textWith('[item 4]'),
	]);
});

test.each<[string, (text: string) => string]>([
	['of another version', (text) => text.replace(/"version":\d+(?=,"executionId")/, '"version":99')],
	['without a field that this version needs', (text) => text.replaceAll('"acceptedAt"', '"at"')],
])(
	'of a ledger %s, a callback is to be sent again, and the IDs are in the error',
	async (_what, change) => {
		const parked = await parkStored(change);
		const sent = posted();
		const { id } = sandbox.asked('Open');
		const [status] = await settle(deliver(sandbox, parked.resumeUrl, answerTo(id, {})));
		expect(status).toBe(503);
		const over = await wakeInTime(parked);
		expect([over.status, posted()]).toEqual(['success', sent]);
		for (const { error, details } of over.json)
			expect([error, JSON.stringify(details)]).toEqual([textWith('another version'), textWith(id)]);
		expect(over.json).toHaveLength(5);
	},
);
