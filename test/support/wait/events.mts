import type { LoggedRequest } from '../../sandbox/requests.mts';
import type { Question } from '../../sandbox/sandbox.mts';
import { pass, rest, settle } from '../clock.mts';
import { ASK } from './asking.mts';
import type { World } from './world.mts';

/** Something that happens to an execution, from outside. */
export interface Event {
	name: string;
	/** Whether it can happen now; without it, it always can. */
	can?: (world: World) => boolean;
	/** The event after which it can happen, if it can't from the beginning. */
	after?: string;
	/** Whether it takes a service that knows an address to call back. */
	calls?: true;
	happen: (world: World) => Promise<unknown>;
	/** What must not be after it. */
	wrong?: (world: World) => string | undefined;
}

const SECOND = 1_000;

/** n8n has written its event log by then, and its recovery invents runs; killed at once: test/engine/wait/crashes.test.mts. */
const LOGGED_MS = 3 * SECOND;

const isParked = ({ last }: World) => last.status === 'waiting';
const hasFailed = ({ last }: World) => last.status === 'crashed' || last.status === 'error';
const isCalled = (world: World) => isParked(world) && world.called !== undefined;
const isReached = (world: World) =>
	isParked(world) && world.called !== undefined && world.isReachedBy(world.called);
/** Whether the service knows an address to call back. */
const reaches = ({ questions }: World) =>
	questions.some(({ callbackUrl }) => callbackUrl !== undefined);

/** A question that rang before all were answered, or within a minute after a look, is checked again when the execution wakes. */
const NEXT_WAKE_MS = 77 * SECOND;
const isOverOnceHeard = (world: World): string | undefined =>
	world.hasHeardAll &&
	isParked(world) &&
	!world.down &&
	(world.last.waitTill?.getTime() ?? 0) > Date.now() + NEXT_WAKE_MS
		? 'Heard a ring for each answer, and waits on'
		: undefined;
const isOverInTime = (world: World): string | undefined =>
	isParked(world) && world.isAllAsked && Date.now() >= world.deadline
		? 'Its time has run out, and it waits on'
		: undefined;

/** What continues an execution: the callback of an answered question, or a wake. */
type Resume = (world: World, question: Question) => Promise<unknown>;
const ring: Resume = (world, question) => world.callBack(question);
const wake = ({ last }: World) => last.wake();

/** An event of an execution that waits. */
const ofParked = (name: string, happen: Event['happen']): Event => ({
	name,
	can: isParked,
	happen,
});

/** An event of an execution that has failed or crashed. */
const ofFailed = (name: string, happen: Event['happen']): Event => ({
	name,
	can: hasFailed,
	after: 'killed in a check',
	happen,
});

/** An event that has to do with the callback of an answered question to the execution that waits for it. */
function calling(name: string, happen: Resume, can = isReached): Event {
	return {
		name,
		can,
		after: 'answered',
		calls: true,
		happen: async (world) => {
			if (world.called !== undefined) await happen(world, world.called);
		},
		wrong: isOverOnceHeard,
	};
}

/** The same, of two that want to continue the execution at the same time. */
function calledTwice(name: string, meet: typeof race, first: Resume, second: Resume) {
	return calling(name, (world, question) =>
		meet(
			world,
			() => first(world, question),
			() => second(world, question),
		),
	);
}

/** An event in which an address of the execution is called, though nothing is answered by that. */
function ringing(name: string, ring: (world: World) => Promise<unknown>): Event {
	return {
		name,
		can: (world) => isParked(world) && reaches(world),
		calls: true,
		happen: (world) => settleAll(world, [ring(world)]),
	};
}

/** An event in which the service is done with a question; nothing calls back. */
function answering(name: string, status: 'completed' | 'error'): Event {
	return {
		name,
		can: (world) => isParked(world) && world.open.length > 0,
		happen: (world) =>
			Promise.all(world.open.slice(0, 1).map((question) => world.answer(question, status))),
	};
}

async function settleAll(world: World, calls: Promise<unknown>[]) {
	await settle(Promise.allSettled(calls));
	await world.follow();
}

/** Two want to resume the execution at the same time: both have read it, the first is the first to claim it. */
async function race(world: World, first: () => Promise<unknown>, second: () => Promise<unknown>) {
	const { database } = world.n8n;
	const unlock = database.lock();
	const none = () => 0;
	const one = first();
	const held = await settle(
		Promise.race([database.whenHeld(1).then(() => 1), one.then(none, none)]),
	);
	const other = second();
	await settle(Promise.race([database.whenHeld(held + 1), other.catch(none)]));
	unlock();
	await settleAll(world, [one, other]);
}

/** Kills n8n once so many writes have come through and it wants to write again, or once what happens is over; and starts it again. */
async function kill(world: World, written: number, happening: () => Promise<unknown>) {
	const { database } = world.n8n;
	const unlock = database.lock(written);
	const over = happening().catch(() => undefined);
	await settle(Promise.race([database.whenHeld(), over]));
	await pass(LOGGED_MS);
	world.n8n.kill();
	unlock();
	await world.startAgain();
}

/** The same in the course of something that the execution continues with. */
async function killAsItWrites(world: World, written: number, happening: () => Promise<unknown>) {
	const tries = () => world.service.requestsTo(ASK).length;
	const before = tries();
	await kill(world, written, happening);
	await world.follow();
	// What became of what a run has asked, or tried to, that did not come to its end, nobody knows: a retry says so.
	if (world.last.status === 'crashed' && tries() > before) world.isInterrupted = true;
}

/** Kills n8n when such a request reaches the service, which does not answer, and starts it again. */
async function killAtRequest(world: World, method: string, happening: Promise<unknown>) {
	let killed = (): void => undefined;
	const isKilled = new Promise<void>((resolve) => (killed = resolve));
	const match = (request: LoggedRequest) => {
		if (request.method !== method) return false;
		world.n8n.kill();
		killed();
		return true;
	};
	const fault = world.service.faults.add({ kind: 'reset', when: 'unhandled', match });
	await settle(Promise.race([isKilled, happening]));
	fault.remove();
	await world.startAgain();
}

async function killInCheck(world: World) {
	await killAtRequest(world, 'GET', wake(world));
	await world.follow();
}

async function killInRetry(world: World) {
	const { posts } = world;
	await world.retry((retried) => kill(world, 1, () => retried));
	if (world.posts > posts) world.isInterrupted = true;
}

/** The callback comes while the execution runs: n8n turns it away, and it is gone. */
async function callWhileItChecks(world: World, question: Question) {
	const unlock = world.n8n.database.lock(1);
	const woken = wake(world);
	await settle(world.n8n.database.whenHeld());
	const status = await settle(world.callBack(question));
	if (status !== 409) throw new Error(`A running execution answered ${status}`);
	unlock();
	await settleAll(world, [woken]);
}

/** All of them read the execution, and wait for a free slot to continue it; each gets one once the one before is over or parked. */
async function queue(world: World, first: () => Promise<unknown>, second: () => Promise<unknown>) {
	const { slots } = world.n8n;
	slots.limit = 1;
	const giveBack = await slots.take();
	const queued: Promise<unknown>[] = [];
	for (const resume of [first, second]) {
		queued.push(resume().catch(() => undefined));
		await rest();
	}
	giveBack();
	await settleAll(world, queued);
	slots.limit = Infinity;
}

async function wakeAt(world: World, time = Date.now()) {
	await pass(Math.max(time - Date.now(), 0));
	await settleAll(world, [wake(world)]);
}

/** All that can happen to an execution once it has been begun. */
export const events: Event[] = [
	answering('answered', 'completed'),
	answering('answered with an error', 'error'),
	calling('callback', (world, question) => settleAll(world, [world.callBack(question)]), isCalled),
	calledTwice('two callbacks race', race, ring, ring),
	calledTwice('callback beats wake', race, ring, wake),
	calledTwice('wake beats callback', race, wake, ring),
	calledTwice('callback and wake wait for a slot', queue, ring, wake),
	ofParked('two wakes wait for a slot', (world) =>
		queue(
			world,
			() => wake(world),
			() => wake(world),
		),
	),
	calling('callback while it checks', callWhileItChecks),
	calling('killed before the callback is claimed', (world, question) =>
		killAsItWrites(world, 0, () => world.callBack(question)),
	),
	calling('killed before what the callback resumed is stored', (world, question) =>
		killAsItWrites(world, 1, () => world.callBack(question)),
	),
	ringing('early callback', (world) =>
		Promise.all(world.open.map((question) => world.callBack(question))),
	),
	ringing('forged callback', (world) => world.forge()),
	ofParked('wake', (world) => wakeAt(world, world.last.waitTill?.getTime())),
	ofParked('early wake', (world) => wakeAt(world)),
	ofParked('restart', async (world) => {
		await world.startAgain();
		await world.follow();
	}),
	ofParked('killed in a check', killInCheck),
	ofParked('killed before the check is stored', (world) =>
		killAsItWrites(world, 1, () => wake(world)),
	),
	ofParked('killed once the check has been stored as progress', (world) =>
		killAsItWrites(world, 2, () => wake(world)),
	),
	{
		name: 'down',
		can: (world) => isParked(world) && !world.down,
		happen: (world) => world.setDown(true),
	},
	{ name: 'up', can: ({ down }) => down, after: 'down', happen: (world) => world.setDown(false) },
	ofParked('a minute is left', (world) => wakeAt(world, world.deadline - 60 * SECOND)),
	{
		...ofParked('time runs out', (world) => wakeAt(world, world.deadline)),
		wrong: isOverInTime,
	},
	ofFailed('retry', (world) => world.retry()),
	ofFailed("retry while n8n's store fails", (world) => world.retryWithoutStore()),
	ofFailed('retry, killed before it is stored', killInRetry),
];

/** Begins, and kills n8n as it writes, after so many writes that came through. */
async function beginKilled(world: World, written: number) {
	await world.begin((run) => kill(world, written, () => run));
	world.isInterrupted = world.subject.isAskedBefore !== true && written === 0;
}

/** Begins, and kills n8n once one question was asked: of all uploads, only the last has come to its end. */
async function beginKilledAfterOne(world: World) {
	const { faults, waitForRequest } = world.service;
	const hanging = faults.add({
		kind: 'hang',
		match: ({ method }) => method === 'PUT',
		times: world.items - 1,
	});
	await world.begin(async () => {
		await settle(waitForRequest(({ route, ended }) => route === ASK && ended));
		await pass(LOGGED_MS);
		world.n8n.kill();
		hanging.remove();
		await world.startAgain();
	});
	world.isInterrupted = true;
}

/** How an execution begins. */
export const beginnings: Event[] = [
	{ name: 'begun', happen: (world) => world.begin() },
	{
		name: 'begun, called back while it is running',
		happen: (world) =>
			world.begin(async () => {
				const unlock = world.n8n.database.lock();
				await settle(world.n8n.database.whenHeld());
				const [question] = world.questions;
				if (question !== undefined) await world.answer(question);
				if (world.called !== undefined) await settle(world.callBack(world.called));
				unlock();
			}),
	},
	{ name: 'begun, killed before it was parked', happen: (world) => beginKilled(world, 0) },
	{
		name: 'begun, killed once its being parked has been stored as progress',
		happen: (world) => beginKilled(world, 2),
	},
	{
		name: 'begun, killed in its first upload',
		can: ({ subject }) => subject.hasFiles === true,
		happen: async (world) => {
			await world.begin((run) => killAtRequest(world, 'PUT', run));
			world.isInterrupted = world.posts > 0;
		},
	},
	{
		name: 'begun, killed once it has asked about one of its files, and not the first',
		can: ({ subject, items }) => subject.hasFiles === true && items > 1,
		happen: beginKilledAfterOne,
	},
];
