import { askQuestion, inOutputOrder, readQuestion } from '../../../nodes/LegalAi/api/questions.ts';
import { startClient } from '../../support/clients.mts';
import { textLike, like } from '../../support/matchers.mts';

const open = {
	id: 'q',
	status: 'in_progress',
	session_id: 's',
	session_url: 'https://legal-ai.example.com/s',
};

test.each([
	[{}, 'assistant'],
	[{ session_id: 's' }, 'session'],
])('if asking with %j fails, the error is about the %s', async (more, subject) => {
	const { client } = await startClient({ reply: () => ({ status: 403 }) });
	await expect(
		askQuestion(client, 'default', { question: 'May we sign?', ...more }, {}),
	).rejects.toMatchObject({ kind: 'rejected', details: { subject } });
});

test('a question comes out with the fields that people read first, and keeps fields that the node does not know', () => {
	const question = readQuestion(
		{ ...open, reason: 7, session_url: {}, session_id: 7, later: [1], assistant_id: 'other' },
		{ assistant_id: 'default' },
	);
	expect(JSON.stringify(inOutputOrder(question))).toBe(
		'{"status":"in_progress","answer":null,"reason":null,"session_url":null,"later":[1],"session_id":null,"id":"q","assistant_id":"default"}',
	);
});

test.each<[unknown[], RegExp]>([
	[[null, [], {}, { id: '' }, { id: 7, status: 'completed' }], /\bid\b/i],
	[[{ id: 'q-7' }, { id: 'q-7', status: '' }, { id: 'q-7', status: 1 }], /q-7/],
	[[{}, 7, ['Yes.'], true].map((answer) => ({ ...open, answer })), /not text/],
])('none of %j is read as a question, and the error says why: %s', (values, reason) => {
	const details = { said: textLike(reason) };
	const error = like({ kind: 'invalidResponse', details }) as Error;
	for (const value of values)
		expect(() => readQuestion(value, { assistant_id: 'default' })).toThrow(error);
});
