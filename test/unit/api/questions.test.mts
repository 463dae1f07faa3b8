import {
	askQuestion,
	generatedFiles,
	inOutputOrder,
	readQuestion,
} from '../../../nodes/LegalAi/api/questions.ts';
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
	const read = { missing_fields: ['a'], unread_fields: {}, fields: { a: null } };
	expect(JSON.stringify(inOutputOrder({ ...question, ...read }))).toBe(
		'{"status":"in_progress","fields":{"a":null},"unread_fields":{},"missing_fields":["a"],"answer":null,"reason":null,"session_url":null,"later":[1],"session_id":null,"id":"q","assistant_id":"default"}',
	);
});

test.each<[unknown[], RegExp]>([
	[[null, [], {}, { id: '' }, { id: 7, status: 'completed' }], /\bid\b/i],
	[[{ id: 'q' }, { id: 'q', status: '' }, { id: 'q', status: 1 }], /question q has no status/],
	[[{}, 7, ['Yes.'], true].map((answer) => ({ ...open, answer })), /not text/],
	[[{ ...open, id: 'q2' }], /question q2 instead of question q/],
])('none of %j is read as a question, and the error says why: %s', (values, reason) => {
	const details = { said: textLike(reason) };
	const error = like({ kind: 'invalidResponse', details }) as Error;
	for (const value of values)
		expect(() => readQuestion(value, { id: 'q', assistant_id: 'default' })).toThrow(error);
});

test('of generated files, what is not as the specification has it is left out', () => {
	const file = { file_name: 7, content_type: {}, content_length: '7' };
	const unknown = { file_name: null, content_type: null, content_length: null };
	expect(generatedFiles({ attachments: ['a', null, { url: 'u', ...file }] })).toEqual([
		{ url: 'u', ...unknown },
	]);
});
