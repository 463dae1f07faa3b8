import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Deliveries } from '../../nodes/LegalAi/callbacks/deliveries.ts';
import { readCallback } from '../../nodes/LegalAi/callbacks/payload.ts';

const now = 1_760_000_000_000;
const minute = 60_000;
const receiver = { workflowId: 'w', nodeId: 'n' };
const answer = { id: 'q', status: 'completed' } as const;

test('a callback is news once, and again after an hour', () => {
	const deliveries = new Deliveries();
	expect(deliveries.take(receiver, answer, now)).toBe(true);
	for (const later of [0, 1, 2 * minute, 60 * minute - 1]) {
		expect(deliveries.take(receiver, answer, now + later), String(later)).toBe(false);
	}
	expect(deliveries.take(receiver, answer, now + 60 * minute)).toBe(true);
	expect(deliveries.take(receiver, answer, now + 60 * minute)).toBe(false);
});

test('another question, state, node or workflow is another matter', () => {
	const deliveries = new Deliveries();
	const all = [
		[receiver, answer],
		[receiver, { ...answer, id: 'q2' }],
		[receiver, { ...answer, status: 'error' }],
		[{ ...receiver, nodeId: 'n2' }, answer],
		[{ ...receiver, workflowId: 'w2' }, answer],
		[receiver, { ...answer, id: 'x,q' }],
		[{ ...receiver, nodeId: 'n,x' }, answer],
		[receiver, { ...answer, id: 'x","q' }],
		[{ ...receiver, nodeId: 'n","x' }, answer],
	] as const;
	for (const [where, what] of all) expect(deliveries.take(where, what, now)).toBe(true);
	for (const [where, what] of all) expect(deliveries.take(where, what, now)).toBe(false);
});

test('what did not get through is news when it comes again', () => {
	const deliveries = new Deliveries();
	deliveries.take(receiver, answer, now);
	deliveries.forget(receiver, answer);
	expect(deliveries.take(receiver, answer, now)).toBe(true);
});

test('memory is bounded: the oldest are forgotten first, and a duplicate pushes nothing out', () => {
	const deliveries = new Deliveries(3);
	const take = (id: string): boolean => deliveries.take(receiver, { ...answer, id }, now);
	expect(['a', 'b', 'c', 'c', 'b', 'a'].map(take)).toEqual([true, true, true, false, false, false]);
	expect(['d', 'b', 'c', 'a'].map(take)).toEqual([true, false, false, true]);
});

test('within the hour nothing is news twice, whatever the order', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(fc.nat(8), fc.nat(50 * minute)), { maxLength: 60 }), (arrivals) => {
			const deliveries = new Deliveries();
			const seen = new Set<number>();
			for (const [id, at] of arrivals.sort(([, a], [, b]) => a - b)) {
				expect(deliveries.take(receiver, { ...answer, id: String(id) }, now + at)).toBe(!seen.has(id));
				seen.add(id);
			}
		}),
	);
});

test('a callback is read as it came, with fields that are not known yet', () => {
	const text = '{"id":"q","status":"filtered","answer":null,"reason":"No.","later":{"x":[1]},"__proto__":{"bad":1}}';
	const received = readCallback(Buffer.from(text));
	expect(received).toEqual({
		payload: { id: 'q', status: 'filtered', answer: null, reason: 'No.', later: { x: [1] } },
	});
	expect(readCallback(Buffer.from('{"id":"q","status":"error"}'))).toEqual({ payload: { id: 'q', status: 'error' } });
});

test.each(['', 'null', '7', '"x"', '[]', '{', '{}', '{"id":"q"}', '{"status":"completed"}', '{"id":"","status":"completed"}',
	'{"id":"q","status":"in_progress"}', '{"id":"q","status":"COMPLETED"}', '{"id":"q","status":["completed"]}',
	'{"id":"q","status":"completed","answer":7}', '{"id":"q","status":"completed","session_id":{}}',
	'{"id":"q","status":"completed","attachments":{}}', '{"id":"q","status":"completed","attachments":["x"]}',
	'{"id":"q","status":"filtered","reason":false}'])('%s is no callback', (text) => {
	expect(readCallback(Buffer.from(text))).toEqual({ obstacle: expect.any(String) as string });
});

test('nothing that can be sent makes reading it throw', () => {
	fc.assert(
		fc.property(fc.oneof(fc.uint8Array().map((bytes) => Buffer.from(bytes)), fc.json().map((text) => Buffer.from(text))), (body) => {
			expect(Object.keys(readCallback(body))).toHaveLength(1);
		}),
		{ numRuns: 2_000 },
	);
});
