import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../../harness/installedPackage.mts';
import * as entries from '../../../nodes/LegalAi/execution/entry.ts';
import {
	markAccepted,
	beginEntry,
	markFailed,
	keepWaiting,
	markNotSent,
	markOver,
	postpone,
	findRecord,
	beginAgain,
	describeTransition,
	markRung,
	markSent,
	findSentRecord,
	markUncertain,
} from '../../../nodes/LegalAi/execution/entry.ts';

/* The transitions of an item. When they are made: schedule.test.mts and test/engine/wait. */

const receipt = { content: 'A', contentNumber: 0, sendNumber: 0 };
const isNew = beginEntry({ session: 'session', sendBy: 100 });
const sent = markSent(isNew, 'name', receipt);
const how = { record: { id: 'q' }, acceptedAt: 1, answerBy: 50 };
const open = markAccepted(sent, how);
const ringing = markRung(open, 2, [2, 70]);

test('what certainly was not accepted is new again, with its uploads and without its receipt', () => {
	isNew.uploads.data = 'job';
	const again = markNotSent(sent);
	expect(again).toMatchObject({ state: 'new', session: 'session', uploads: { data: 'job' } });
	expect(again).not.toHaveProperty('receipt');
	const later = { retryAt: 10, sendBy: 100, heldUpBy: 'deferred' } as const;
	expect(postpone(again, later)).toMatchObject({ ...later, tries: 1, busyTries: 0 });
});

test.each([
	['sent', open, 'name', 'q'],
	['only found', markAccepted(isNew, how), undefined, undefined],
])('an item that was %s is open, and counts as sent only if it was', (_how, entry, name, id) => {
	expect(entry).toMatchObject({ ...how, state: 'open', session: 'session' });
	expect([entry.ringName, findSentRecord(entry)?.id, findRecord(entry)?.id]).toEqual([
		name,
		id,
		'q',
	]);
});

test('a look keeps no plan but the next one', () => {
	const next = { lookAt: undefined, laterLooks: undefined };
	expect(keepWaiting(ringing, { id: 'q', status: 'in_progress' }, next, 3)).toEqual({
		...open,
		...next,
		record: { id: 'q', status: 'in_progress' },
		lookedAt: 3,
	});
});

describe('as n8n runs the node anew,', () => {
	test.each([
		['what was not sent begins anew', { ...isNew, retryAt: 10, tries: 3 }, beginEntry()],
		[
			'what may have been accepted stays so',
			markUncertain(sent, 'outcomeUnknown'),
			markUncertain(sent, 'outcomeUnknown'),
		],
		['what is over stays so', markOver(open, how.record), markOver(open, how.record)],
	])('%s, whether or not it has failed', (_what, entry, wanted) => {
		expect([
			beginAgain(entry, false),
			beginAgain(markFailed(entry, { error: 'No' }), false),
		]).toEqual([wanted, wanted]);
	});

	test.each([
		[false, 'name'],
		[true, undefined],
	])(
		'what is open is planned anew, and rings only at its own execution (another: %s)',
		(isElsewhere, name) => {
			expect(beginAgain(ringing, isElsewhere)).toEqual({ ...open, ringName: name });
		},
	);
});

test('the log has the times and IDs of an item, and nothing that was asked or answered', () => {
	const record = { id: 'q', question: 'May we sign?' };
	const looked = markRung(markAccepted(sent, { ...how, record }), 2, [2, 70]);
	expect(describeTransition(3, sent, looked)).toBe(
		'item 3: sent -> open {"acceptedAt":1,"answerBy":50,"lookAt":2,"laterLooks":[2,70],"record":"q","session":"session","ringName":"name","isFound":false}',
	);
	const held = { ...beginEntry(), tries: 1, busyTries: 1, retryAt: 9, sendBy: 100 };
	const failed = markFailed({ ...held, heldUpBy: 'sessionBusy' }, { error: 'May we sign?' });
	expect(describeTransition(0, isNew, failed)).toBe(
		'item 0: new -> failed {"retryAt":9,"sendBy":100,"tries":1,"busyTries":1,"heldUpBy":"sessionBusy"}',
	);
	const inDoubt = markUncertain(sent, 'outcomeUnknown', { said: 'May we sign?' });
	expect(describeTransition(0, sent, inDoubt)).toContain(
		'"reason":{"kind":"outcomeUnknown"},"receipt":{"content":"A","contentNumber":0,"sendNumber":0}',
	);
});

test('the table of states in docs/architecture.md has all states, and all transitions by their names', () => {
	const page = readFileSync(join(projectFolder, 'docs/architecture.md'), 'utf8');
	const [, table = ''] = /\n(\| State \|[^]*?)\n\n\*\*What comes next/.exec(page) ?? [];
	const states = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, state]) => state);
	expect(states).toEqual(['new', 'sent', 'open', 'over', 'failed']);
	const names = new Set([...table.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
	const transitions = Object.keys(entries).filter((name) =>
		/^(mark|begin|keep|extend|postpone)/.test(name),
	);
	expect(
		[...names].filter((name) => !states.includes(name) && name !== 'entry').toSorted(),
	).toEqual(transitions.toSorted());
});
