import type { Entry } from '../../../nodes/LegalAi/execution/ledger.ts';
import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
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

test.each<[string, Entry[]]>([
	['item 1 until Mar 31, 11:16 AM EDT', [failed, open(1)]],
	['all until Mar 31, 1:14 PM EDT', [answered, open(119)]],
	['item 0 until Mar 31, 11:15 PM EDT', [open(12 * 60)]],
	[hints.waitingInTurn, [answered, open(5), queued('s')]],
	[hints.waitingForLimits, [answered, open(5), queued()]],
])('while a node waits, the editor says: %s', (hint, entries) => {
	vi.useFakeTimers({ now: NOW });
	const waitHint = (until: string, only?: number) =>
		`${only === undefined ? 'all' : `item ${only}`} until ${until}`;
	expect(progressHint({ entries }, 'America/New_York', waitHint)).toBe(hint);
});
