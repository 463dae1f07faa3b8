import { Readable } from 'node:stream';

import type { IHttpRequestOptions } from 'n8n-workflow';

import type { ItemRun } from '../../../nodes/LegalAi/execution/run.ts';
import { ensureListening } from '../../../nodes/LegalAi/resources/question/sendAnswerTo.ts';
import { checkSignature } from '../../../nodes/LegalAi/trigger/signature.ts';

const href = 'https://n8n.example.com/webhook/legal-ai/w1';
const NOT_REGISTERED =
	'{"code":404,"message":"The requested webhook \\"POST legal-ai/w1\\" is not registered."}';
const INVALID_SIGNATURE = '{"error_code":"invalid_signature","message":"It does not match."}';

/** Tries a trigger whose address answers like this, if at all; gives the request. */
async function probe(status: number | undefined, body: string, webhookSecret = 'whsec') {
	let sent: IHttpRequestOptions | undefined;
	const anonymous = (request: IHttpRequestOptions) => {
		sent = request;
		return status === undefined
			? Promise.reject(new Error('no route'))
			: Promise.resolve({
					statusCode: status,
					headers: {},
					body: Readable.from([Buffer.from(body)]),
				});
	};
	const item = {
		client: { anonymous },
		context: { getCredentials: () => Promise.resolve({ webhookSecret }) },
		once: async (_key: string, act: () => Promise<void>) => {
			await act();
		},
	} as unknown as ItemRun;
	await ensureListening(item, { listener: { href, target: 'workflow' } });
	return sent;
}

test.each([
	[404, NOT_REGISTERED, 'No Legal AI Trigger listens'],
	[404, '<pre>Cannot POST /webhook/legal-ai/w1</pre>', 'No Legal AI Trigger listens'],
	[404, 'Nothing here', 'Something other than the Legal AI Trigger responded at its address (404)'],
	[401, INVALID_SIGNATURE, 'would reject the answer, so the question was not asked: It does not'],
	[503, '{"error_code":"no_credential","message":"Select"}', 'would reject the answer'],
	[401, '{"message":"Log in first"}', '(401), so the question was not asked'],
	[503, 'Not now', '(503), so the question was not asked: Not now'],
	[400, '{"message":"Bad request"}', '(400)'],
	[301, '', '(301), so the question was not asked: nothing'],
	[200, '{"message":"Workflow was started"}', '(200)'],
	[502, '<h1>Bad gateway</h1>', '(502), so the question was not asked: Bad gateway'],
])(
	'a trigger whose address answers %i %s keeps a question from being asked: %s',
	async (status, body, text) => {
		await expect(probe(status, body)).rejects.toThrow(text);
	},
);

test.each<[string, number | undefined, string, string?]>([
	['is missing', undefined, ''],
	['says that a signed body is no callback', 400, '{"error_code":"invalid_payload"}'],
	['rejects a body that could not be signed', 401, INVALID_SIGNATURE, ''],
])('a question is asked if the answer of its trigger %s', async (_what, status, body, secret) => {
	const { body: sent, headers = {}, ...request } = (await probe(status, body, secret)) ?? {};
	expect(request).toMatchObject({ method: 'POST', url: href });
	expect(sent).toBe('{}');
	const problem = checkSignature(headers['Service-Signature'], Buffer.from('{}'), ['whsec']);
	expect(problem).toBe(secret === '' ? 'The Service-Signature header is missing.' : undefined);
});
