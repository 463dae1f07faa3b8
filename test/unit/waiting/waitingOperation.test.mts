import type { INodeExecutionData } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { SessionBusyError } from '../../../nodes/LegalAi/api/errors.ts';
import { askQuestion, readQuestion, type Question } from '../../../nodes/LegalAi/api/questions.ts';
import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { serviceMessages } from '../../../nodes/LegalAi/messages/serviceMessages.ts';
import { parameterOf, type Parameter } from '../../../nodes/LegalAi/parameters/parameter.ts';
import { answerCache } from '../../../nodes/LegalAi/waiting/answerCache.ts';
import { defineWaitingOperation, type AnswerChannel, type WaitingOperationDefinition } from '../../../nodes/LegalAi/waiting/waitingOperation.ts';
import { askingNode, type AskingNode, type Reply, type Sent } from './askingNode.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const field = <Value,>(name: string, read: (value: unknown) => Value): Parameter<Value> =>
	parameterOf({ displayName: name, name, type: 'string', default: '' }, read);

const parameters = { text: field('text', String), session: field('session', (value) => (typeof value === 'string' ? value : undefined)) };
const options = field('maxWait', (value) => (typeof value === 'number' ? value : 30));
type Definition = WaitingOperationDefinition<typeof parameters, unknown, number>;

const begin: Definition['begin'] = async ({ client, acceptOnce }, { values: { text, session } }, _channel, budget) => {
	const ask = async (): Promise<Question> => await askQuestion(client, 'default', { question: text, session_id: session }, budget);
	return await acceptOnce(ask, (accepted) => readQuestion(accepted, 'default'));
};

/** An operation that asks the question "text" of each item, maybe in its "session", and waits "maxWait" minutes. */
function operationWith(kind: AnswerChannel['kind'], changes: Partial<Definition> = {}): ReturnType<typeof defineWaitingOperation> {
	return defineWaitingOperation<typeof parameters, unknown, number>({
		option: { name: 'Ask', value: 'ask' },
		toolDescription: 'Ask.',
		parameters,
		options,
		output: {},
		patience: (maxWait) => ({ maxWait, giveUpAfter: 60 }),
		session: ({ session }) => session,
		channel: () => ({ kind }),
		begin,
		finish: async (_item, question) => await Promise.resolve({ json: question }),
		...changes,
	});
}

/** A service that answers each question so many ms after it was asked, or never. */
function serviceWith(answers: Record<string, number> = {}): (sent: Sent) => Reply {
	const askedAt = new Map<string, number>();
	return ({ method, id, at }) => {
		if (method === 'POST') askedAt.set(id, at);
		const isAnswered = at >= (askedAt.get(id) ?? 0) + (answers[id] ?? Infinity);
		return { body: { id, status: isAnswered ? 'completed' : 'in_progress', session_id: id.slice(0, 1) } };
	};
}

const busy: Reply = { status: 400, body: { error_code: 'session_still_processing' } };

/** Runs the node to its end, and says when that was, in ms from when it began to run. */
async function runNode(operation: ReturnType<typeof operationWith>, { context }: AskingNode): Promise<{ items: INodeExecutionData[]; error: unknown; took: number }> {
	const began = Date.now();
	const running = operation.run(context).then(
		([items = []]) => ({ items, error: undefined, took: Date.now() - began }),
		(error: unknown) => ({ items: [], error, took: Date.now() - began }),
	);
	await vi.runAllTimersAsync();
	return await running;
}

const sentBy = ({ sent }: AskingNode, method: string): string[] => sent.filter((request) => request.method === method).map(({ id }) => id);
const statusesOf = (items: INodeExecutionData[]): unknown[] => items.map(({ json }) => (json.timed_out === true ? 'timed out' : json.status));

const unsigned = { getWorkflowDataProxy: () => ({ $execution: { resumeUrl: 'https://n8n.example.com/webhook-waiting/7' } }) };
/** An n8n that shows its nodes nothing of what it goes on with. */
const unwakeable = { runExecutionData: undefined };

describe('by looks', () => {
	test('quick answers are waited for a minute in all, however many are asked in turn, before the node parks', async () => {
		const node = askingNode({ items: [{ text: 's1', session: 's' }, { text: 's2', session: 's' }], reply: serviceWith({ s1: 30 * SECOND }) });
		const { took } = await runNode(operationWith('looks'), node);
		expect(sentBy(node, 'POST')).toEqual(['s1', 's2']);
		expect(node.parkedUntil()).toBeDefined();
		expect(took).toBeGreaterThan(30 * SECOND);
		expect(took).toBeLessThanOrEqual(MINUTE);
	});

	test('the next of a session is asked once the one before is answered, whatever else is open', async () => {
		const items = [{ text: 's1', session: 's' }, { text: 's2', session: 's' }, { text: 'alone' }];
		const node = askingNode({ items, reply: serviceWith({ s1: 5 * SECOND }) });
		await runNode(operationWith('looks'), node);
		expect(sentBy(node, 'POST')).toEqual(['s1', 'alone', 's2']);
		expect(node.sent.findLast(({ method }) => method === 'POST')?.at).toBeLessThan(20 * SECOND);
	});

	test('a node that was woken looks once, and parks again at once', async () => {
		const node = askingNode({ items: [{ text: 'q' }], reply: serviceWith() });
		await runNode(operationWith('looks'), node);
		const before = node.sent.length;
		node.wake();
		expect((await runNode(operationWith('looks'), node)).took).toBe(0);
		expect([node.sent.length - before, node.parkedUntil()]).toEqual([1, expect.any(Number)]);
	});

	test('a node wakes at its looks in an n8n without signed addresses, too', async () => {
		const node = askingNode({ items: [{ text: 'q', maxWait: 60 }], reply: serviceWith(), changes: unsigned });
		const { took } = await runNode(operationWith('looks'), node);
		expect(took).toBeLessThanOrEqual(MINUTE);
		expect(node.parkedUntil()).toBeLessThan(4 * MINUTE);
	});
});

describe('where the node can not be woken', () => {
	test.each<[string, AnswerChannel['kind'], object]>([
		['because n8n shows nothing of its stack', 'callback', unwakeable],
		['because n8n 1 would lose its answers in a sub-workflow', 'callback', { ...unsigned, getMode: () => 'integrated' }],
	])('%s, it looks until the answers are there, and says so', async (_, kind, changes) => {
		const node = askingNode({ items: [{ text: 'q' }], reply: serviceWith({ q: 10 * MINUTE }), changes });
		const { items, took } = await runNode(operationWith(kind), node);
		expect(statusesOf(items)).toEqual(['completed']);
		expect(took).toBeGreaterThanOrEqual(10 * MINUTE);
		expect(node.hints).toEqual([hints.polledHere]);
		expect(node.parkedUntil()).toBeUndefined();
	});

	test.each<[string, AnswerChannel['kind'], number, number]>([
		['it is there at once', 'looks', 30, 0],
		['it is not waited for', 'looks', 0, Infinity],
		['it comes with the request, or not at all', 'sync', 0, Infinity],
	])('it says nothing of looks for an answer if %s', async (_, kind, maxWait, answer) => {
		const node = askingNode({ items: [{ text: 'q', maxWait }], reply: serviceWith({ q: answer }), changes: unwakeable });
		const { took } = await runNode(operationWith(kind), node);
		expect([took, node.hints]).toEqual([0, []]);
	});

	test('a question that comes with the request, or not at all, is not looked at', async () => {
		const node = askingNode({ items: [{ text: 'q', maxWait: 0 }], reply: serviceWith() });
		expect(statusesOf((await runNode(operationWith('sync'), node)).items)).toEqual(['timed out']);
		expect(sentBy(node, 'GET')).toEqual([]);
	});
});

describe('a session that others keep busy', () => {
	const items = [{ text: 'q' }, { text: 's1', session: 's' }];
	const answers = serviceWith();
	const reply = (sent: Sent): Reply => (sent.id === 's1' ? busy : answers(sent));

	test('fails the node once it gives up, whatever else is open', async () => {
		const node = askingNode({ items, reply });
		const { error, took } = await runNode(operationWith('callback', { patience: () => ({ maxWait: 30, giveUpAfter: 0 }) }), node);
		expect([error, took]).toEqual([expect.objectContaining({ httpCode: '400' }), 0]);
		expect(node.parkedUntil()).toBeUndefined();
	});

	test('fails the node at once where it can not be woken to ask again', async () => {
		const node = askingNode({ items, reply: answers, changes: unwakeable });
		const refused: Definition['begin'] = async (item, ...rest) => {
			if (item.itemIndex === 1) throw new SessionBusyError();
			return await begin(item, ...rest);
		};
		expect((await runNode(operationWith('looks', { begin: refused }), node)).took).toBe(0);
	});

	test('fails the node if the execution timeout leaves no time to ask again', async () => {
		const changes = { additionalData: { executionTimeoutTimestamp: Date.now() + 20 * SECOND } };
		const node = askingNode({ items: items.slice(1), reply, changes });
		const { error } = await runNode(operationWith('callback'), node);
		expect(error).toMatchObject({ message: expect.stringContaining(serviceMessages.sessionBusy.message) as string });
		expect(node.hints).toEqual([hints.executionTimeoutNear]);
	});
});

test('after a long run, what was asked a minute ago or more is looked at before the node parks', async () => {
	const slowly: Definition['begin'] = async (item, ...rest) => {
		await new Promise((resolve) => setTimeout(resolve, item.itemIndex * 30 * SECOND));
		return await begin(item, ...rest);
	};
	const node = askingNode({ items: [{ text: 'a' }, { text: 'b' }, { text: 'c' }], reply: serviceWith() });
	await runNode(operationWith('callback', { begin: slowly }), node);
	expect([node.parkedUntil() !== undefined, sentBy(node, 'GET')]).toEqual([true, ['a']]);
});

test('an operation that asks nothing in sessions waits as others do', async () => {
	const node = askingNode({ items: [{ text: 'q' }], reply: serviceWith({ q: 5 * SECOND }) });
	expect(statusesOf((await runNode(operationWith('looks', { session: undefined }), node)).items)).toEqual(['completed']);
});

describe('a node that was woken', () => {
	/** A node that is parked with these questions, and what it has sent since. */
	async function parked(...questions: string[]): Promise<{ node: AskingNode; looks: () => string[] }> {
		const node = askingNode({ items: questions.map((text) => ({ text })), reply: serviceWith({ answered: MINUTE }) });
		await runNode(operationWith('callback'), node);
		const before = node.sent.length;
		return { node, looks: () => node.sent.slice(before).map(({ id }) => id) };
	}

	test('by a callback has heard of answers that came in the meantime, and looks at no other', async () => {
		const { node, looks } = await parked('q', 'r');
		answerCache.add(node.context.getExecutionId(), readQuestion({ id: 'q', status: 'completed' }, 'default'));
		node.wake({ isCalledBack: true });
		await runNode(operationWith('callback'), node);
		expect([node.parkedUntil() !== undefined, looks()]).toEqual([true, []]);
		node.wake({ isCalledBack: true });
		answerCache.add(node.context.getExecutionId(), readQuestion({ id: 'r', status: 'completed' }, 'default'));
		expect(statusesOf((await runNode(operationWith('callback'), node)).items)).toEqual(['completed', 'completed']);
		expect(looks()).toEqual([]);
		expect(answerCache.get(node.context.getExecutionId()).size).toBe(0);
	});

	test('finds out nothing about callbacks any more if every answer is there', async () => {
		const { node } = await parked('answered');
		node.wake();
		const channel = vi.fn((): AnswerChannel => ({ kind: 'callback' }));
		expect(statusesOf((await runNode(operationWith('callback', { channel }), node)).items)).toEqual(['completed']);
		expect(channel).not.toHaveBeenCalled();
	});

	test('when Max Wait is over looks once', async () => {
		const { node, looks } = await parked('q');
		node.wake({}, 30 * MINUTE);
		expect(statusesOf((await runNode(operationWith('callback'), node)).items)).toEqual(['timed out']);
		expect(looks()).toEqual(['q']);
	});

	test.each([
		['nothing if nothing was in its way', {}, []],
		['that callbacks did not fit', { hasBadSignatures: true }, [hints.badSignatures]],
		['that the execution timeout was near', { isPastLastWake: true }, [hints.executionTimeoutNear]],
	])('says at its end %s', async (_, state, expected) => {
		const { node } = await parked('answered');
		node.wake(state);
		await runNode(operationWith('callback'), node);
		expect(node.hints).toEqual(expected);
	});

	test('has not failed, whatever n8n has noted; one that begins leaves that to n8n', async () => {
		const { node } = await parked('answered');
		node.wake();
		const fresh = askingNode({ items: [{ text: 'q' }], reply: serviceWith({ q: 0 }) });
		for (const each of [node, fresh]) {
			each.resultData.error = 'crashed';
			await runNode(operationWith('callback'), each);
		}
		expect([node.resultData, fresh.resultData]).toEqual([{}, { error: 'crashed' }]);
	});
});
