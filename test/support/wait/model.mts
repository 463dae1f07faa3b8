import fc from 'fast-check';
import type { INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { settle, stopClock } from '../clock.mts';
import { Instance } from '../engine/instance.mts';
import { beginnings, type Event, events } from './events.mts';
import type { Subject } from './subjects.mts';
import type { Parts } from './wait.mts';
import { writeAnswer, nameItem, World } from './world.mts';

/** Wakes after which an execution whose questions are all answered counts as lost. */
const MOST_WAKES = 7;

/** Chooses what happens next. Undefined ends the path. */
type Choice = (names: string[], step: number) => string | undefined;

/** Questions are never asked twice, and answers are never lost, changed or output twice, whatever happens in whatever order. */
export async function holdsInAnyOrder(
	{ service, clock }: Pick<Parts, 'service' | 'clock'>,
	subject: Subject,
) {
	const aims = [...beginnings, ...events];
	const reached = new Set<string>();
	let run = 0;
	const steps = fc.array(fc.nat({ max: 99 }), { minLength: 4, maxLength: 13 });
	const property = fc.asyncProperty(
		fc.integer({ min: 1, max: 3 }),
		steps,
		async (items, numbers) => {
			stopClock();
			await service.reset();
			const n8n = await Instance.start();
			const world = new World({ service, n8n, clock }, subject, items);
			try {
				await walk(world, towards(aims[run++], numbers));
			} catch (cause) {
				throw new Error(`${String(cause)}, after: ${world.path.join(', ')}`, { cause });
			} finally {
				await n8n.close();
			}
			for (const name of world.path) reached.add(name);
		},
	);
	await fc.assert(property, { numRuns: aims.length, endOnFailure: true });
	expect(events.filter(({ name }) => !reached.has(name))).toEqual(
		subject.isNeverCalled === true ? events.filter(({ calls }) => calls) : [],
	);
}

/** Goes the shortest way to one event, or begins so, and then wherever the numbers lead. */
function towards(aim: Pick<Event, 'name' | 'after'> | undefined, numbers: number[]): Choice {
	const wanted = [aim?.name, aim?.after, 'begun'];
	return (names, step) => {
		const wish = wanted.find((name) => name !== undefined && names.includes(name));
		if (wish === aim?.name) wanted.length = 0;
		const next = wish ?? names[(numbers[step] ?? 0) % names.length];
		return step >= numbers.length ? undefined : next;
	};
}

/**
 * Takes one path through the model: begins, lets the chosen events happen, and then does what a user does who wants the
 * answer: n8n and the service work again, and what crashed is retried.
 */
async function walk(world: World, choose: Choice) {
	for (let step = 0; ; step += 1) {
		const possible = (step === 0 ? beginnings : events).filter(({ can }) => can?.(world) ?? true);
		const chosen = choose(
			possible.map(({ name }) => name),
			step,
		);
		const event = possible.find(({ name }) => name === chosen);
		if (event === undefined) break;
		await happen(world, event);
	}
	await finish(world);
}

async function happen(world: World, event: Event) {
	world.path.push(event.name);
	const endings = world.endings.length;
	await event.happen(world);
	const wrong = event.wrong?.(world);
	if (wrong !== undefined) throw new Error(wrong);
	check(world);
	if (world.endings.length > endings && world.last.status === 'success') checkOutput(world);
}

/** Everything works again, and the answers are ready: the execution must end by itself, or after a retry. */
async function finish(world: World) {
	const happenIfPossible = async (name: string) => {
		const event = events.find((other) => other.name === name);
		if (event?.can?.(world)) await happen(world, event);
	};
	await happenIfPossible('up');
	for (let round = 0; round < MOST_WAKES && world.last.status !== 'success'; round += 1) {
		await happenIfPossible('retry');
		for (const question of world.open) await world.answer(question);
		await happenIfPossible('wake');
	}
	const { status, error } = world.last;
	if (status !== 'success' && !isLeftUncertain(world))
		throw new Error(`Lost: never over, but ${status} (${error?.message ?? 'without a word'})`);

	const endings = world.n8n.endings.entries.length;
	if (world.called !== undefined) await settle(world.callBack(world.called));
	if (world.called !== undefined) await settle(world.forge());
	if (world.n8n.endings.entries.length > endings)
		throw new Error('A late callback resumed what was over');
}

/** Whether a question was cut off as it was asked, by a kill or by the service: a retry says so again, and does not ask it. */
function isLeftUncertain({ asksLate, isInterrupted, last: { error } }: World) {
	const said = [error?.message, error?.description];
	return (isInterrupted && saysMay(said)) || (asksLate && /\bmay still\b/.test(said.join()));
}

/** Whether this says that something may have been accepted. */
function saysMay(said: unknown) {
	return /\bmay\b/.test(JSON.stringify(said));
}

/** Whether an item may fail: it was cut off as it was asked, or n8n's store did not say whether it was. */
function isExcused({ isInterrupted, isStoreBroken }: World, json: object) {
	return isStoreBroken || (isInterrupted && saysMay(json));
}

/** What must hold after each step. */
function check(world: World) {
	const { last, posts, allowed, items, subject } = world;
	if (posts > allowed) throw new Error(`Asked twice: ${posts} questions for ${items} items`);
	const asked = world.asked.filter(({ status }) => status !== 'error');
	const names = asked.map((question) => world.findItem(question));
	if (new Set(names).size < names.length) throw new Error(`Asked twice: ${names.join()}`);
	// Its time may be over while another question, which a retry has asked anew, is still waited for.
	const hasNoAnswer = world.questions.some(
		(question) => question.status === 'error' || Date.now() >= world.findDeadline(question),
	);
	const hasFailed = subject.fails === true && hasNoAnswer;
	const mayFail = hasFailed || world.isStoreBroken || (world.asksLate && !world.isAllAsked);
	if (last.status === 'error' && !mayFail && !isLeftUncertain(world))
		throw new Error(`Failed: ${last.error?.message ?? 'without a word'}`);
	const outs = world.n8n.endings.entries.filter(({ status }) => status === 'success').length;
	if (outs > 1) throw new Error(`Out ${outs} times`);
}

/** What must hold of what has come out, as it comes out. */
function checkOutput(world: World) {
	const all = world.last.outputs.flat();
	const out = all.filter(({ json }) => !('error' in json && isExcused(world, json)));
	if (out.length > 0 && world.cameAfter !== 1)
		throw new Error(`What comes after ran ${world.cameAfter} times`);
	if (!world.isInterrupted && all.length !== world.items)
		throw new Error(`${all.length} items came out for ${world.items}`);
	for (const item of out) assertIsAnswer(world, item);
}

/** What came out is the answer to its item's question, or says rightly that there is none in time. */
function assertIsAnswer(world: World, { json: item, pairedItem }: INodeExecutionData) {
	const question = world.questions.find(({ id }) => id === item.id);
	if (question === undefined) throw new Error(`Not an answer: ${JSON.stringify(item)}`);
	const { item: index } = pairedItem as IPairedItemData;
	if (world.findItem(question) !== nameItem(index))
		throw new Error(`Item ${index} came out with the answer to ${world.findItem(question)}`);
	const isAnswered = question.status !== 'in_progress';
	if (isAnswered && item.status === question.status && item.answer === writeAnswer(question))
		return;
	if (item.status !== 'in_progress' || item.timed_out !== true) {
		throw new Error(`Not what the service said: ${JSON.stringify(item)}`);
	}
	if (Date.now() < world.findDeadline(question)) throw new Error('Timed out before its time');
	if (isAnswered && !world.down) throw new Error('Lost: timed out although the answer was there');
}
