import { afterEach, expect, test, vi } from 'vitest';

import type { Entry } from '../../../nodes/LegalAi/execution/ledger.ts';
import type { Situation } from '../../../nodes/LegalAi/waiting/next.ts';
import { progressHint } from '../../../nodes/LegalAi/waiting/progressHint.ts';

const NOW = Date.parse('2026-03-31T15:15:00Z');
const answered: Entry = {
	state: 'accepted',
	record: { id: 'q' },
	acceptedAt: NOW,
	acceptedIn: 'run',
	isOwn: true,
};
const open = (minutes: number): Entry => ({ ...answered, answerBy: NOW + minutes * 60_000 });
const queued = (session?: string): Entry => ({
	state: 'inTurn',
	askUntil: NOW,
	turnAt: 0,
	session,
});
const failed: Entry = { state: 'failed', error: {}, before: { state: 'new' } };

afterEach(() => vi.useRealTimers());

test.each<[hint: string, entries: Entry[], situation?: Partial<Situation>]>([
	[
		'Waiting for the answer. "Max Wait" runs out in 1 minute (11:16 AM EDT). The ID of the question is q.',
		[failed, open(1)],
	],
	[
		'1 of 2 questions are answered. Waiting for the others. "Max Wait" runs out in 119 minutes (1:14 PM EDT).',
		[answered, open(119)],
	],
	[
		'Waiting for the answer. "Max Wait" runs out in 2 hours (1:15 PM EDT). The ID of the question is q.',
		[open(120)],
	],
	[
		'Waiting for the answer. "Max Wait" runs out in 12 hours (Mar 31, 11:15 PM EDT). The ID of the question is q.',
		[open(12 * 60)],
	],
	[
		'1 of 3 questions are answered. Questions in the same session are asked one after the other.',
		[answered, open(5), queued('s')],
	],
	[
		"2 of 3 items were sent. The others follow, in portions, as the service's limits allow.",
		[answered, open(5), queued()],
	],
	[
		'1 of 2 questions are answered. Waiting for the others. "Max Wait" runs out in 5 minutes (11:20 AM EDT).',
		[answered, open(5), queued()],
		{ canConnect: false },
	],
	[
		'Waiting until the task has the status. "Max Wait" runs out in 5 minutes (11:20 AM EDT). The ID of the task is q.',
		[open(5)],
		{ answersBy: 'person' },
	],
	[
		'1 of 2 tasks have the status. Waiting for the others. "Max Wait" runs out in 5 minutes (11:20 AM EDT).',
		[answered, open(5)],
		{ answersBy: 'person' },
	],
])('while a node waits, the editor says: %s', (hint, entries, situation) => {
	vi.useFakeTimers({ now: NOW });
	const now = { answersBy: 'callback', canConnect: true, ...situation } as const;
	expect(progressHint({ entries }, 'America/New_York', now)).toBe(hint);
});
