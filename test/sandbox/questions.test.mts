import { describe, expect, test } from 'vitest';
import { ASSISTANTS } from './sandbox.mts';
import { ask as askAt, at, call, refused, sandboxForTests, someText, textWith, type Reply } from './support.mts';

const sandbox = await sandboxForTests();

const ask = (body: unknown, assistant?: string): Promise<Reply> => askAt(sandbox, body, assistant);
const poll = (id: string, assistant = 'default'): Promise<Reply> =>
	call(sandbox, 'GET', `/assistants/${assistant}/questions/${id}`);

describe('asking', () => {
	test('a question completes between two and five minutes later, by default', async () => {
		const id = at((await ask({ question: 'May we sign this?' })).body, 'id');
		sandbox.advance(119_000);
		expect((await poll(id)).body).toMatchObject({ status: 'in_progress', answer: null });
		sandbox.advance(181_000);
		await sandbox.waitForQuestion(({ status }) => status === 'completed');
		expect((await poll(id)).body).toMatchObject({
			status: 'completed',
			answer: textWith('May we sign this?'),
			attachments: [],
			reason: null,
		});
	});
});

describe('an invalid body', () => {
	test.each([
		['no body', undefined],
		['no object', ['question']],
		['an empty question', { question: '' }],
		['a question that is no string', { question: 1 }],
		['an attachment of nothing', { question: 'x', attachments: [{}] }],
		['an attachment of both', { question: 'x', attachments: [{ url: 'https://example.com', upload_job_id: 'a' }] }],
		['an attachment address that is not http', { question: 'x', attachments: [{ url: 'file:///etc/passwd' }] }],
		['permissions without visibility', { question: 'x', permissions: {} }],
		['a callback address that is not http', { question: 'x', callback_url: 'mailto:a@example.com' }],
		['a sync_mode that is no boolean', { question: 'x', sync_mode: 'true' }],
	])('a question is refused: %s', async (_what, body: unknown) => {
		expect(await ask(body)).toMatchObject(refused(400, 'invalid_request_body'));
		expect(sandbox.questions).toEqual([]);
	});

	test('a question of exactly 10,000 characters and ten attachments is accepted', async () => {
		const attachments = Array(10).fill({ url: 'https://example.com/a.pdf', unzip: true });
		expect(await ask({ question: '§'.repeat(10_000), attachments })).toMatchObject({ status: 200 });
	});
});

describe('sessions', () => {
	test('a session that does not exist, or is of another assistant, is not found', async () => {
		const id = at((await ask({ question: 'First' })).body, 'id');
		await sandbox.complete(id);
		expect(await ask({ question: 'x', session_id: 'nowhere' })).toMatchObject(refused(404, 'resource_not_found'));
		const elsewhere = await ask({ question: 'A contract', session_id: id }, ASSISTANTS.contracts);
		expect(elsewhere).toMatchObject(refused(404, 'resource_not_found'));
	});
});

describe('intake', () => {
	test('an intake instruction declines a new question that does not match, without a session, for good', async () => {
		const reply = await ask({ question: 'What is for lunch?' }, ASSISTANTS.contracts);
		const declined = {
			id: someText,
			session_id: null,
			session_url: null,
			status: 'filtered',
			answer: textWith('contract work only'),
			attachments: null,
			reason: 'The question is not about a contract.',
		};
		expect(reply.status).toBe(200);
		expect(reply.body).toEqual(declined);
		const contracts = sandbox.organization.assistants.find(({ id }) => id === ASSISTANTS.contracts);
		if (contracts?.intake) contracts.intake.declineAnswer = 'Edited later';
		sandbox.advance(3_600_000);
		expect((await poll(at(reply.body, 'id'), ASSISTANTS.contracts)).body).toEqual(declined);
	});

	test('an intake instruction accepts a question that matches, and never declines a follow-up', async () => {
		const first = at((await ask({ question: 'Review this NDA' }, ASSISTANTS.contracts)).body, 'id');
		await sandbox.complete(first);
		sandbox.settings.answer = () => ({ status: 'filtered', answer: 'No' });
		const { body } = await ask({ question: 'And lunch?', session_id: first }, ASSISTANTS.contracts);
		expect(body).toMatchObject({ status: 'in_progress', session_id: first });
		await sandbox.complete(at(body, 'id'));
		expect(sandbox.questions.at(-1)).toMatchObject({ status: 'completed' });
	});

	test('a question can be declined without a reason, or without words', async () => {
		sandbox.settings.answer = () => ({ status: 'filtered', answer: null });
		expect((await ask({ question: 'x' })).body).toMatchObject({ status: 'filtered', answer: null, reason: null });
	});

	test('an assistant that is switched off refuses questions, and earlier ones can still be looked up', async () => {
		expect(await ask({ question: 'x' }, ASSISTANTS.switchedOff)).toMatchObject(refused(404, 'resource_not_found'));
		const id = at((await ask({ question: 'x' })).body, 'id');
		const general = sandbox.organization.assistants.find((assistant) => assistant.id === 'default');
		if (general) general.apiIntake = false;
		expect(await ask({ question: 'x' })).toMatchObject(refused(404, 'resource_not_found'));
		expect(await poll(id)).toMatchObject({ status: 200, body: { id } });
	});
});
