import { ASSISTANTS } from './sandbox.mts';
import {
	ask as askAt,
	askForId,
	call,
	refused,
	sandboxForTests,
} from '../support/sandboxClient.mts';
import { textWith } from '../support/matchers.mts';

const sandbox = await sandboxForTests();

const ask = (body: unknown, assistant?: string) => askAt(sandbox, body, assistant);
const poll = (id: string, assistant = 'default') =>
	call(sandbox, 'GET', `/assistants/${assistant}/questions/${id}`);

describe('questions to the sandbox', () => {
	test('a question completes between two and five minutes later, by default', async () => {
		const id = await askForId(sandbox, { question: 'May we sign this?' });
		sandbox.advance(119_000);
		expect((await poll(id)).body).toMatchObject({ status: 'in_progress', answer: null });
		sandbox.advance(181_000);
		await sandbox.waitForQuestion(({ status }) => status === 'completed');
		expect((await poll(id)).body).toMatchObject({
			status: 'completed',
			answer: textWith('May we sign this?'),
		});
	});
});

describe('the intake of the sandbox', () => {
	test('accepts a question that matches the instruction, and never declines a follow-up', async () => {
		const first = await askForId(sandbox, { question: 'Review this NDA' }, ASSISTANTS.contracts);
		await sandbox.complete(first);
		sandbox.settings.answer = () => ({ status: 'filtered', answer: 'No' });
		await sandbox.complete(
			await askForId(sandbox, { question: 'And lunch?', session_id: first }, ASSISTANTS.contracts),
		);
		expect(sandbox.questions.at(-1)).toMatchObject({ status: 'completed' });
	});

	test('can be switched off for an assistant, whose earlier questions can still be looked up', async () => {
		const id = await askForId(sandbox, { question: 'x' });
		const general = sandbox.organization.assistants.find((assistant) => assistant.id === 'default');
		if (general) general.apiIntake = false;
		expect(await ask({ question: 'x' })).toMatchObject(refused(404, 'resource_not_found'));
		expect(await poll(id)).toMatchObject({ status: 200, body: { id } });
	});
});
