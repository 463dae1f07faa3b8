import { expect, test } from 'vitest';

import {
	blockingItems,
	dueItems,
	openItems,
	unaskedItems,
	type WaitingItems,
} from '../../../nodes/LegalAi/waiting/waitingItem.ts';
import { asked, itemsOf, NOW, unasked } from './items.mts';

const due = (items: WaitingItems): unknown[] => [...dueItems(items, NOW)];

test('items are asked, open or neither', () => {
	const [open, answered, next] = [asked('a'), asked('b', { status: 'completed' }), unasked('c')];
	const items = itemsOf(open, answered, next);
	expect(openItems(items)).toEqual([open]);
	expect(unaskedItems(items)).toEqual([next]);
});

test('of the items of a session only the first is due, and all that continue none', () => {
	const [first, second, alone, other, another] = [unasked('a'), unasked('a'), unasked('b'), unasked(), unasked()];
	expect(due(itemsOf(first, second, alone, other, another))).toEqual([first, alone, other, another]);
});

test('no item of a session is due while its open question is waited for', () => {
	const [open, next] = [asked('a'), unasked('a')];
	expect(due(itemsOf(open, next))).toEqual([]);
	expect(blockingItems(itemsOf(open, next, asked('b')), NOW)).toEqual([open]);
});

test('the next of a session is due once its question is answered, or its Max Wait is over', () => {
	const next = unasked('a');
	expect(due(itemsOf(asked('a', { status: 'completed' }), next))).toEqual([next]);
	expect(due(itemsOf(asked('a', { deadline: NOW }), next))).toEqual([next]);
});

test('an item whose session is busy with a question of others is not due in this run, nor are those behind it', () => {
	expect(due(itemsOf({ ...unasked('a'), isPostponed: true }, unasked('a')))).toEqual([]);
});
