import { describe, expect, test } from 'vitest';

import { NotFoundError } from '../../../nodes/LegalAi/api/errors.ts';
import { getQuestion } from '../../../nodes/LegalAi/api/questions.ts';
import { clientOf as clientAt, type Respond } from './clients.mts';

const QUESTION = { id: 'q1', session_id: 's1', status: 'completed', answer: 'Yes.' };
const NOT_FOUND = { status: 404, body: { error_code: 'resource_not_found', message: 'Question not found' } };

let services = 0;

/** The first client of a service that no other test has spoken to. */
function clientOf(respond: Respond): ReturnType<typeof clientAt> {
	services += 1;
	return clientAt(respond, `https://legal-ai.example.com/${services}/api/v1`);
}

/** How services say that they have no such path. */
const UNKNOWN_PATHS = {
	'the body of an error': NOT_FOUND,
	'a page': { status: 404, body: '<h1>404</h1>' },
	'the words of a framework': { status: 404, body: { message: 'Route GET:/x not found', error: 'Not Found', statusCode: 404 } },
	'no body': { status: 404, body: '' },
};

/** Knows one spelling alone, and one question. */
const knowing =
	(spelling: string, unknownPath: ReturnType<Respond>): Respond =>
	({ pathname }) => {
		if (!pathname.includes(`/${spelling}/`)) return unknownPath;
		return pathname.endsWith('/q1') ? { body: QUESTION } : NOT_FOUND;
	};

describe.each(Object.entries(UNKNOWN_PATHS))('a service that answers with %s at a path that it does not have', (_how, unknownPath) => {
	test.each(['assistants', 'agents'])('and knows %s alone is asked in that way, once that was found out', async (spelling) => {
		const { client, requests } = clientOf(knowing(spelling, unknownPath));
		for (let times = 0; times < 3; times += 1) expect(await getQuestion(client, 'default', 'q1')).toMatchObject(QUESTION);
		expect(requests).toHaveLength(spelling === 'assistants' ? 3 : 4);
		await expect(getQuestion(client, 'default', 'q2')).rejects.toMatchObject({ details: { errorCode: 'resource_not_found' } });
		expect(requests).toHaveLength(spelling === 'assistants' ? 4 : 5);
	});

	test.each(['assistants', 'agents'])('and knows %s alone says itself that it has no such question', async (spelling) => {
		const { client } = clientOf(knowing(spelling, unknownPath));
		const error: unknown = await getQuestion(client, 'default', 'q2').catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(NotFoundError);
		expect(error).toMatchObject({ details: { errorCode: 'resource_not_found', serviceMessage: 'Question not found', subject: 'question' } });
	});
});

test('the next client of a service begins with what the last one has found out, and is not bound to it', async () => {
	const state = { spelling: 'agents' };
	const ask = async (): Promise<number> => {
		const respond: Respond = (url, options) => knowing(state.spelling, UNKNOWN_PATHS['no body'])(url, options);
		const { client, requests } = clientAt(respond, 'https://legal-ai.example.com/changing/api/v1');
		for (const id of ['q1', 'q1']) expect(await getQuestion(client, 'default', id)).toMatchObject(QUESTION);
		return requests.length;
	};
	expect(await ask()).toBe(3);
	expect(await ask()).toBe(2);
	state.spelling = 'assistants';
	expect(await ask()).toBe(3);
	expect(await ask()).toBe(2);
});

test('of very many services, only those that were spoken to last are known', async () => {
	const ask = async (service: number): Promise<number> => {
		const { client, requests } = clientAt(knowing('agents', UNKNOWN_PATHS['no body']), `https://legal-ai.example.com/many/${service}/api/v1`);
		expect(await getQuestion(client, 'default', 'q1')).toMatchObject(QUESTION);
		return requests.length;
	};
	for (let service = 0; service <= 100; service += 1) expect(await ask(service)).toBe(2);
	expect(await ask(1)).toBe(1);
	expect(await ask(100)).toBe(1);
	expect(await ask(0)).toBe(2);
	expect(await ask(1)).toBe(1);
	expect(await ask(2)).toBe(2);
});

test('what goes wrong in the other spelling is told as it is', async () => {
	const { client, requests } = clientOf(({ pathname }) => (pathname.includes('/agents/') ? { status: 403, body: {} } : { status: 404, body: '' }));
	await expect(getQuestion(client, 'default', 'q1')).rejects.toMatchObject({ details: { status: 403 } });
	expect(requests).toHaveLength(2);
});

test('paths that have one spelling are asked for once', async () => {
	const { client, requests } = clientOf(() => NOT_FOUND);
	await expect(client.request({ method: 'GET', subject: 'task', path: ['tasks', 't1'] })).rejects.toThrow(NotFoundError);
	expect(requests).toHaveLength(1);
});

test('an ID with half a character in it is a path all the same', async () => {
	const { client, requests } = clientAt(() => ({ body: QUESTION }));
	await getQuestion(client, 'a\ud800b', '\udfff/../..');
	expect(requests.map(({ pathname }) => pathname)).toEqual(['/api/v1/assistants/a%EF%BF%BDb/questions/%EF%BF%BD%2F..%2F..']);
});
