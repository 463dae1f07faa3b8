import { settle } from '../clock.mts';
import { beginnings, events, type Event } from './events.mts';
import type { Subject } from './subjects.mts';
import { answerOf, World } from './world.mts';

/** Attempts that one check may take if the service does not answer. */
const ATTEMPTS_WHEN_DOWN = 8;
/** Wakes after which an execution whose questions are all answered counts as lost. */
const MOST_WAKES = 5;

const INTERRUPTED = 'Sending was interrupted when n8n stopped';

/** A path that was taken. */
export interface Walk {
	path: string[];
	/** What it led to that must never be, as it first was. */
	violation?: string;
}

/** Chooses what happens next. Undefined ends the path. */
export type Choice = (names: string[], step: number) => string | undefined;

/**
 * Takes one path through the model: begins, lets the chosen events happen, and then does what a user does who wants the
 * answer: n8n and the service work again, and what crashed is retried.
 */
export async function walk(subject: Subject, count: number, choose: Choice): Promise<Walk> {
	const world = await World.create(subject);
	const { path } = world;
	try {
		await follow(world, count, choose);
		return { path };
	} catch (error) {
		return { path, violation: error instanceof Error ? error.message : String(error) };
	} finally {
		await world.close();
	}
}

async function follow(world: World, count: number, choose: Choice) {
	const began = choose(
		beginnings.map(({ name }) => name),
		0,
	);
	const beginning = beginnings.find(({ name }) => name === began);
	if (beginning === undefined) throw new Error('Nothing has begun');
	world.path.push(beginning.name);
	world.allowed.gets += count * world.subject.checksBeforeParking;
	await beginning.happen(world, count);
	check(world, count);
	if (world.last.status === 'success') checkOutput(world, count);
	for (let step = 1; ; step += 1) {
		const possible = events.filter(({ can }) => can(world));
		const chosen = choose(
			possible.map(({ name }) => name),
			step,
		);
		const event = possible.find(({ name }) => name === chosen);
		if (event === undefined) break;
		await happen(world, count, event);
	}
	await finish(world, count);
}

async function happen(world: World, count: number, event: Event) {
	world.path.push(event.name);
	const attempts = world.down ? ATTEMPTS_WHEN_DOWN : 1;
	world.allowed.gets +=
		(event.checks?.(world) ?? 0) * attempts * (world.subject.sharesSession === true ? 2 : 1);
	const endings = world.endings.length;
	await event.happen(world);
	const wrong = event.wrong?.(world);
	if (wrong !== undefined) throw new Error(wrong);
	check(world, count);
	if (world.endings.length > endings && world.last.status === 'success') checkOutput(world, count);
}

/** Everything works again, and the answers are ready: the execution must end by itself, or after a retry. */
async function finish(world: World, count: number) {
	const happenIfPossible = async (name: string) => {
		const event = events.find((other) => other.name === name);
		if (event?.can(world)) await happen(world, count, event);
	};
	await happenIfPossible('up');
	for (let round = 0; round < MOST_WAKES && world.last.status !== 'success'; round += 1) {
		await happenIfPossible('retry');
		for (const question of world.open) await world.complete(question);
		await happenIfPossible('wake');
	}
	const { status, error } = world.last;
	if (status !== 'success' && !isLeftUncertain(world))
		throw new Error(`Lost: never over, but ${status} (${error?.message ?? 'without a word'})`);

	const { gets, endings } = { gets: world.gets, endings: world.n8n.endings.entries.length };
	if (world.called !== undefined) await settle(world.callBack(world.called));
	if (world.called !== undefined) await settle(world.forge());
	// Without a secret, a callback for an execution that has crashed has the question checked.
	const checks = world.subject.secret === 'none' ? 2 : 0;
	if (world.gets > gets + checks) throw new Error('A late callback had questions checked');
	if (world.n8n.endings.entries.length > endings)
		throw new Error('A late callback resumed what was over');
}

/** Whether a question was cut off as it was asked, by the service or by a kill: a retry says so again, and does not ask it. */
function isLeftUncertain({ subject, isInterrupted, last: { error } }: World) {
	if (isInterrupted && error?.message.includes(INTERRUPTED)) return true;
	return (
		subject.sharesSession === true &&
		error?.description?.includes('The service may still have accepted the question') === true
	);
}

/** What must hold after each step. */
function check(world: World, count: number) {
	const { last, posts, gets, allowed } = world;
	if (posts > allowed.posts) throw new Error(`Asked twice: ${posts} questions for ${count} items`);
	if (gets > allowed.gets)
		throw new Error(`Checked ${gets} times, where ${allowed.gets} are enough`);
	const hasFailed =
		world.subject.fails === true && world.questions.some(({ status }) => status === 'error');
	// What is asked late may meet a service that is down, or a session that stays busy.
	const mayFail = hasFailed || (world.subject.sharesSession === true && !world.isAllAsked);
	if (last.status === 'error' && !mayFail && !isLeftUncertain(world))
		throw new Error(`Failed: ${last.error?.message ?? 'without a word'}`);
	const outs = world.n8n.endings.entries.filter(({ status }) => status === 'success').length;
	if (outs > 1) throw new Error(`Out ${outs} times`);
}

/** What must hold of what has come out, as it comes out. */
function checkOutput(world: World, count: number) {
	const isCutOff = ({ error }: { error?: unknown }) =>
		world.isInterrupted && typeof error === 'string' && error.includes(INTERRUPTED);
	const items = world.last.outputs
		.flat()
		.map(({ json }) => json)
		.filter((json) => !isCutOff(json));
	if (items.length > 0 && world.cameAfter !== 1)
		throw new Error(`What comes after ran ${world.cameAfter} times`);
	if (!world.isInterrupted && items.length !== count)
		throw new Error(`${items.length} items came out for ${count}`);
	for (const item of items) {
		const question = world.questions.find(({ id }) => id === item.id);
		if (question === undefined) throw new Error(`Not an answer: ${JSON.stringify(item)}`);
		const isAnswered = question.status !== 'in_progress';
		if (isAnswered && item.status === question.status && item.answer === answerOf(question))
			continue;
		if (item.status !== 'in_progress' || item.timed_out !== true) {
			throw new Error(`Not what the service said: ${JSON.stringify(item)}`);
		}
		if (Date.now() < world.deadline) throw new Error('Timed out before its time');
		if (isAnswered && !world.down) throw new Error('Lost: timed out although the answer was there');
	}
}
