import type { IDataObject, IExecuteData, IHttpRequestOptions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { signatureOf } from '../../../nodes/LegalAi/callbacks/signature.ts';
import { readEntryMemory, writeEntryMemory, type EntryMemory, type ParkedState } from '../../../nodes/LegalAi/execution/entryMemory.ts';
import { callbackResponses } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { resumeByCallback } from '../../../nodes/LegalAi/waiting/resumeWebhook.ts';

const SECRET = 'the secret';

beforeEach(() => {
	vi.useFakeTimers({ now: 1_760_000_000_000 });
});
afterEach(() => {
	vi.useRealTimers();
});

const parked: ParkedState = { round: 2, giveUpAt: {}, holding: [], failures: {}, hasBadSignatures: false };

/** An execution that is parked with these questions at this node; what its callbacks are answered, and what it remembers. */
function parkedNode(
	questions: string[],
	{ holding = [], webhookSecret = SECRET, look, changes = {} }: {
		holding?: string[];
		webhookSecret?: string;
		/** What the service says of a question. */
		look?: () => IDataObject;
		/** What n8n shows the webhook in place of what is here. */
		changes?: object;
	} = {},
): {
	callBack: (payload: unknown, secret?: string) => Promise<IWebhookResponseData>;
	answers: unknown[];
	errors: unknown[];
	looks: () => number;
	memory: () => EntryMemory | undefined;
} {
	const [answers, errors]: [unknown[], unknown[]] = [[], []];
	const node = { id: 'n', name: 'Legal AI', type: 'legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const entry = (): IExecuteData => ({ node, data: { main: [[]] }, source: null });
	const copy = entry();
	const accepted = questions.map((id, index) => [index, { at: 1, isSent: true, record: { id, status: 'in_progress', assistant_id: 'default' } }] as const);
	writeEntryMemory(copy, { executionId: '7', accepted: Object.fromEntries(accepted), parked: { ...parked, holding } });
	let looks = 0;
	const executionId = crypto.randomUUID();
	const contextOf = (rawBody: Buffer, signature: string): IWebhookFunctions =>
		({
			runExecutionData: { executionData: { nodeExecutionStack: questions.length === 0 ? [] : [entry(), copy] } },
			getCredentials: async () => await Promise.resolve({ baseUrl: 'https://legal-ai.example.com/api/v1', apiKey: 'sk-svc-api1-1', webhookSecret }),
			getExecutionId: () => executionId,
			getHeaderData: () => ({ 'service-signature': signature }),
			getNode: () => node,
			getRequestObject: () => ({ rawBody, readRawBody: async () => { await Promise.resolve(); } }),
			getResponseObject: () => ({ status: (status: number) => ({ json: (body: unknown) => answers.push([status, body]) }) }),
			getWorkflow: () => ({ id: 'w' }),
			helpers: {
				httpRequestWithAuthentication: async (_credential: string, { url }: IHttpRequestOptions) => {
					looks += 1;
					return await Promise.resolve({ statusCode: 200, headers: {}, body: JSON.stringify({ id: url.split('/').at(-1), ...look?.() }) });
				},
			},
			logger: { error: (message: string) => errors.push(message), warn: () => undefined },
			...changes,
		}) as unknown as IWebhookFunctions;
	return {
		callBack: async (payload, secret = SECRET) => {
			const rawBody = Buffer.from(JSON.stringify(payload));
			return await resumeByCallback.call(contextOf(rawBody, signatureOf(rawBody, secret, Math.floor(Date.now() / 1000))));
		},
		answers,
		errors,
		looks: () => looks,
		memory: () => readEntryMemory(copy),
	};
}

const completed = (id: string): IDataObject => ({ id, status: 'completed', answer: `Answer ${id}` });

/** The execution goes on, and n8n answers the sender with this. */
const resumed = { webhookResponse: { message: callbackResponses.resuming }, workflowData: [] };
const nothing = { noWebhookResponse: true };

describe('a callback', () => {
	test('is noted while other answers are missing, and the last one resumes the execution with all of them', async () => {
		const { callBack, answers, memory } = parkedNode(['q', 'r']);
		expect(await callBack(completed('q'))).toEqual(nothing);
		expect(answers).toEqual([[200, { message: callbackResponses.noted }]]);
		expect(await callBack(completed('r'))).toEqual(resumed);
		expect(memory()).toMatchObject({
			accepted: { 0: { at: 1, record: { answer: 'Answer q' } }, 1: { record: { answer: 'Answer r' } } },
			parked: { ...parked, isCalledBack: true },
		});
	});

	test('resumes the execution although others are missing, if its session has more to be asked', async () => {
		const { callBack, memory } = parkedNode(['q', 'r'], { holding: ['r'] });
		expect(await callBack(completed('q'))).toEqual(nothing);
		expect(await callBack(completed('r'))).toEqual(resumed);
		expect(memory()?.parked).toMatchObject({ round: 2, holding: ['r'], isCalledBack: true });
	});

	test.each<[string, string[]]>([
		['another question', ['q']],
		['an execution that is not parked here', []],
	])('for %s is accepted without effect', async (_, questions) => {
		const { callBack, answers } = parkedNode(questions);
		expect(await callBack(completed('other'))).toEqual(nothing);
		expect(answers).toEqual([[200, { message: callbackResponses.notWaiting }]]);
	});

	test('has an execution of an earlier version resume, which then looks at its other questions', async () => {
		const [first, second] = ['q', 'r'].map((id) => ({ json: { id, status: 'in_progress', assistant_id: 'default' } }));
		const node = { id: 'n', name: 'Legal AI', type: 'legalAi', typeVersion: 1, position: [0, 0], parameters: {}, disabled: true };
		const stack = [{ node, data: { main: [[first, second]] }, source: null }];
		const { callBack } = parkedNode(['q'], { changes: { runExecutionData: { executionData: { nodeExecutionStack: stack } } } });
		expect(await callBack(completed('q'))).toEqual(resumed);
		expect(readEntryMemory(stack[1] as unknown as IExecuteData)).toMatchObject({
			accepted: { 0: { record: { answer: 'Answer q' } }, 1: { record: { status: 'in_progress' } } },
			parked: { holding: ['q', 'r'] },
		});
		expect(readEntryMemory(stack[1] as unknown as IExecuteData)?.parked).not.toHaveProperty('isCalledBack');
	});
});

describe('a callback without a secret to check it with', () => {
	test('has its question looked up, once however often it comes', async () => {
		const { callBack, answers, looks, memory } = parkedNode(['q', 'r'], { webhookSecret: '', look: () => ({ status: 'completed', answer: 'Truly' }) });
		for (const id of ['q', 'q', 'q']) expect(await callBack({ ...completed(id), answer: 'Falsely' })).toEqual(nothing);
		expect([answers.length, looks()]).toEqual([3, 1]);
		expect(await callBack(completed('r'))).toEqual(resumed);
		expect(memory()?.accepted).toMatchObject({ 0: { record: { answer: 'Truly' } } });
	});

	test('does nothing if the service knows no answer', async () => {
		const { callBack, answers, looks, memory } = parkedNode(['q'], { webhookSecret: '', look: () => ({ status: 'in_progress' }) });
		const before = memory();
		expect(await callBack(completed('q'))).toEqual(nothing);
		expect([answers, looks()]).toEqual([[[200, { message: callbackResponses.noted }]], 1]);
		expect(memory()).toEqual(before);
	});

	test('that can not be looked up is to come again, and the log says why', async () => {
		const { callBack, answers, errors } = parkedNode(['q'], { webhookSecret: '', look: () => ({ id: undefined, status: 'completed' }) });
		const called = callBack(completed('q'));
		await vi.runAllTimersAsync();
		expect(await called).toEqual(nothing);
		expect(answers).toEqual([[503, { message: callbackResponses.failed }]]);
		expect(errors).toEqual(['Legal AI could not process a callback: InvalidResponseError: InvalidResponseError']);
	});
});

test('an error of which nothing can be shown is logged all the same', async () => {
	const changes = {
		getHeaderData: () => {
			throw Object.assign(new Error('<br>'), { name: '' });
		},
	};
	const { callBack, answers, errors } = parkedNode(['q'], { changes });
	expect(await callBack(completed('q'))).toEqual(nothing);
	expect([answers.length, errors]).toEqual([1, ['Legal AI could not process a callback: ']]);
});

describe('a callback whose signature does not fit', () => {
	test('has the execution look for itself, once a minute', async () => {
		const { callBack, answers, memory } = parkedNode(['q']);
		expect(await callBack(completed('q'), 'another')).toEqual({ ...nothing, workflowData: [] });
		expect(memory()).toMatchObject({ executionId: '7', accepted: { 0: { record: { status: 'in_progress' } } }, parked: { ...parked, hasBadSignatures: true } });
		vi.advanceTimersByTime(59_999);
		expect(await callBack(completed('q'), 'another')).toEqual(nothing);
		vi.advanceTimersByTime(1);
		expect(await callBack(completed('q'), 'another')).toEqual({ ...nothing, workflowData: [] });
		expect(answers.map((answer) => Array.isArray(answer) && answer[0] as unknown)).toEqual([401, 401, 401]);
	});

	test('has no execution look if it is signed well, and no callback at all', async () => {
		const { callBack, answers, memory } = parkedNode(['q']);
		expect(await callBack({ id: 'q' })).toEqual(nothing);
		expect(answers).toMatchObject([[400, { error_code: 'invalid_payload' }]]);
		expect(memory()?.parked?.hasBadSignatures).toBe(false);
	});
});
