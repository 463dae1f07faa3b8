import fc from 'fast-check';
import { expect, test } from 'vitest';

import { DeliveryDeduplicator } from '../../../nodes/LegalAi/callbacks/deliveryDeduplicator.ts';

const now = 1_760_000_000_000;
const minute = 60_000;
const receiver = { workflowId: 'w', nodeId: 'n' };
const answer = { id: 'q', status: 'completed' } as const;
const accepted = Promise.resolve(true);

test('a callback is new once, and again after an hour', async () => {
	const deliveries = new DeliveryDeduplicator();
	expect(await deliveries.add(receiver, answer, accepted, now)).toBe(true);
	for (const later of [0, 1, 2 * minute, 60 * minute - 1]) {
		expect(await deliveries.add(receiver, answer, accepted, now + later), String(later)).toBe(false);
	}
	expect(await deliveries.add(receiver, answer, accepted, now + 60 * minute)).toBe(true);
	expect(await deliveries.add(receiver, answer, accepted, now + 60 * minute)).toBe(false);
});

test('whether a receiver in this process has received a callback can be asked without receiving it', async () => {
	const deliveries = new DeliveryDeduplicator();
	expect(deliveries.has(receiver, answer)).toBe(false);
	await deliveries.add(receiver, answer, accepted, now);
	expect(deliveries.has(receiver, answer)).toBe(true);
	expect(deliveries.has({ ...receiver, nodeId: 'n2' }, answer)).toBe(false);
});

test('another question, state, node or workflow is another delivery', async () => {
	const deliveries = new DeliveryDeduplicator();
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
	for (const [where, what] of all) expect(await deliveries.add(where, what, accepted, now)).toBe(true);
	for (const [where, what] of all) expect(await deliveries.add(where, what, accepted, now)).toBe(false);
});

test('what n8n did not take is new when it comes again', async () => {
	const deliveries = new DeliveryDeduplicator();
	expect(await deliveries.add(receiver, answer, Promise.resolve(false), now)).toBe(true);
	expect(await deliveries.add(receiver, answer, accepted, now)).toBe(true);
	expect(await deliveries.add(receiver, answer, accepted, now)).toBe(false);
});

test('of callbacks that come while it is open whether n8n takes the first, one gets through if it does not', async () => {
	const deliveries = new DeliveryDeduplicator();
	let settle: (isAccepted: boolean) => void = () => undefined;
	const first = new Promise<boolean>((resolve) => (settle = resolve));
	expect(await deliveries.add(receiver, answer, first, now)).toBe(true);
	const others = Array.from({ length: 5 }, async () => await deliveries.add(receiver, answer, accepted, now));
	settle(false);
	expect((await Promise.all(others)).sort()).toEqual([false, false, false, false, true]);
});

test('of callbacks that come while it is open whether n8n takes the first, none gets through if it does', async () => {
	const deliveries = new DeliveryDeduplicator();
	let settle: (isAccepted: boolean) => void = () => undefined;
	const first = new Promise<boolean>((resolve) => (settle = resolve));
	expect(await deliveries.add(receiver, answer, first, now)).toBe(true);
	const others = Array.from({ length: 5 }, async () => await deliveries.add(receiver, answer, accepted, now));
	settle(true);
	expect(await Promise.all(others)).toEqual(others.map(() => false));
});

test('memory is bounded: the oldest are forgotten first, and a duplicate pushes nothing out', async () => {
	const deliveries = new DeliveryDeduplicator(3);
	const addAll = async (...ids: string[]): Promise<boolean[]> => {
		const added: boolean[] = [];
		for (const id of ids) added.push(await deliveries.add(receiver, { ...answer, id }, accepted, now));
		return added;
	};
	expect(await addAll('a', 'b', 'c', 'c', 'b', 'a')).toEqual([true, true, true, false, false, false]);
	expect(await addAll('d', 'b', 'c', 'a')).toEqual([true, false, false, true]);
});

test('within the hour nothing that n8n took is new twice, whatever the order', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(fc.nat(8), fc.nat(50 * minute), fc.boolean()), { maxLength: 60 }), async (arrivals) => {
			const deliveries = new DeliveryDeduplicator();
			const taken = new Set<number>();
			for (const [id, at, isTaken] of arrivals.sort(([, a], [, b]) => a - b)) {
				const isNew = await deliveries.add(receiver, { ...answer, id: String(id) }, Promise.resolve(isTaken), now + at);
				expect(isNew).toBe(!taken.has(id));
				if (isNew && isTaken) taken.add(id);
			}
		}),
	);
});
