import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { askedItem, dueOf, holdersOf, openOf, unaskedOf, type AskedItem, type UnaskedItem, type WaitingItem } from '../../../nodes/LegalAi/waiting/waitingItem.ts';

const MINUTE = 60_000;
const NOW = 1_760_000_000_000;

beforeEach(() => {
	vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
	vi.useRealTimers();
});

const asked = (session: string, status = 'in_progress', maxWait = 30): AskedItem =>
	askedItem({ at: NOW, isSent: true, record: { id: `q of ${session}`, status, session_id: session, assistant_id: 'default' } }, {}, maxWait);
const unasked = (session?: string, isPostponed = false): UnaskedItem => ({ options: {}, input: {}, session, giveUpAt: undefined, isPostponed });
const outcomesOf = (...items: WaitingItem[]): ({ value: WaitingItem } | { failure: { error: string } })[] => [
	{ failure: { error: 'No.' } },
	...items.map((value) => ({ value })),
];

test('Max Wait counts from when the service accepted the question', () => {
	expect(asked('s', 'in_progress', 1.5)).toMatchObject({ acceptedAt: NOW, deadline: NOW + 1.5 * MINUTE, isLookedAt: false });
});

test('items are asked, open or neither', () => {
	const [open, answered, next] = [asked('a'), asked('b', 'completed'), unasked('c')];
	const outcomes = outcomesOf(open, answered, next);
	expect(openOf(outcomes)).toEqual([open]);
	expect(unaskedOf(outcomes)).toEqual([next]);
});

test('of the items of a session only the first is due, and all that go on with none', () => {
	const [first, second, alone, other, another] = [unasked('a'), unasked('a'), unasked('b'), unasked(), unasked()];
	expect([...dueOf(outcomesOf(first, second, alone, other, another))]).toEqual([first, alone, other, another]);
});

test('no item of a session is due while its open question is waited for', () => {
	const [open, next] = [asked('a'), unasked('a')];
	expect(dueOf(outcomesOf(open, next)).size).toBe(0);
	expect(holdersOf(outcomesOf(open, next, asked('b')))).toEqual([open]);
});

test('the next of a session is due once its question is answered, or its Max Wait is over', () => {
	const next = unasked('a');
	expect([...dueOf(outcomesOf(asked('a', 'completed'), next))]).toEqual([next]);
	expect([...dueOf(outcomesOf(asked('a', 'in_progress', 0), next))]).toEqual([next]);
});

test('an item whose session others keep busy is not due in this run, nor are those behind it', () => {
	expect(dueOf(outcomesOf(unasked('a', true), unasked('a'))).size).toBe(0);
});
