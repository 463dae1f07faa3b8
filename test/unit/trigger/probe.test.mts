import { Readable } from 'node:stream';

import type { ItemRun } from '../../../nodes/LegalAi/execution/run.ts';
import { ensureListening } from '../../../nodes/LegalAi/resources/question/sendAnswerTo.ts';

const href = 'https://n8n.example.com/webhook/legal-ai/w1';
const NOT_REGISTERED =
	'{"code":404,"message":"The requested webhook \\"POST legal-ai/w1\\" is not registered."}';
const INVALID_SIGNATURE = '{"error_code":"invalid_signature","message":"It does not match."}';

/** Tries a trigger whose address answers like this. */
async function probe(statusCode: number, text: string) {
	const body = Readable.from([Buffer.from(text)]);
	const item = {
		client: { anonymous: () => Promise.resolve({ statusCode, headers: {}, body }) },
		context: { getCredentials: () => Promise.resolve({ webhookSecret: 'whsec' }) },
		once: async (_key: string, act: () => Promise<void>) => {
			await act();
		},
	} as unknown as ItemRun;
	await ensureListening(item, new URL(`${href}?assistant_id=default`));
}

test.each([
	[404, NOT_REGISTERED, 'No Legal AI Trigger listens'],
	[404, 'Nothing here', 'Its address responded (404): Nothing here'],
	[401, INVALID_SIGNATURE, 'would not accept the answer, so the question was not asked.'],
	[401, '{"message":"Log in first"}', '(401): Log in first'],
	[301, '', '(301): nothing'],
	[502, '<h1>Bad gateway</h1>', '(502): Bad gateway'],
])(
	'a trigger whose address answers %i %s keeps a question from being asked: %s',
	async (status, body, text) => {
		await expect(probe(status, body)).rejects.toThrow(text);
	},
);
