import type { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import type { HttpRequest } from '../../../nodes/LegalAi/api/http.ts';
import { isProbe, probeTrigger } from '../../../nodes/LegalAi/callbacks/probe.ts';
import { triggerNotListening } from '../../../nodes/LegalAi/messages/callbackMessages.ts';
import { userMessageOf } from '../../../nodes/LegalAi/errors/nodeError.ts';
import { checkSignature } from '../../../nodes/LegalAi/callbacks/signature.ts';

const URL = 'https://n8n.example.com/webhook/legal-ai/w1';
const NOT_REGISTERED =
	'{"code":404,"message":"The requested webhook \\"POST legal-ai/w1\\" is not registered."}';
const LISTENING = '{"message":"This trigger is listening."}';
const INVALID = '{"error_code":"invalid_signature"}';

type Client = Pick<LegalAiClient, 'probe'>;

const answering = (status: number, body: string, sent: HttpRequest[] = []): Client => ({
	probe: async (request) => {
		sent.push(request);
		return await Promise.resolve({ status, headers: {}, body });
	},
});

const probe = async (client: Client, secret: string | undefined) => {
	await probeTrigger(client, URL, secret, triggerNotListening.workflow);
};

test.each([
	[404, NOT_REGISTERED, 'No Legal AI Trigger listens'],
	[404, '<pre>Cannot POST /webhook/legal-ai/w1</pre>', 'No Legal AI Trigger listens'],
	[404, 'Nothing here', 'status 404: Nothing here'],
	[404, '{"message":7}', 'status 404'],
	[401, INVALID, 'different "Webhook Secret"'],
	[401, '{"message":"Log in first"}', 'status 401: {"message":"Log in first"}'],
	[409, '{"error_code":"no_webhook_secret"}', 'has no "Webhook Secret"'],
	[409, '{"message":"Conflict"}', 'status 409'],
	[503, '{"error_code":"no_credential"}', 'was deleted'],
	[503, 'Not now', 'status 503: Not now'],
	[403, INVALID, 'status 403'],
	[301, '', 'status 301'],
	[200, NOT_REGISTERED, 'status 200'],
	[200, '{"message":"Workflow was started"}', 'status 200: {"message":"Workflow was started"}'],
	[204, '{"message":"This trigger is listening."}', 'status 204'],
	[502, '<h1>Bad gateway</h1>', 'status 502: Bad gateway'],
])('the response %i %s to a signed probe is a no: %s', async (statusCode, body, text) => {
	const error: unknown = await probe(answering(statusCode, body), 'whsec').catch(
		(thrown: unknown) => thrown,
	);
	const { message, description } = userMessageOf(error);
	expect(`${message} ${description}`).toContain(text);
});

test.each<[string, Client, string | undefined]>([
	["the trigger's own words", answering(200, LISTENING), 'whsec'],
	['its rejection, of a question whose answer is not signed', answering(401, INVALID), undefined],
	['no response', { probe: () => Promise.reject(new Error('no route')) }, 'whsec'],
])('%s: the question is asked', async (_, client, secret) => {
	await expect(probe(client, secret)).resolves.toBeUndefined();
});

test.each(['whsec', undefined])(
	'a probe is signed with the secret %s, and is no callback',
	async (secret) => {
		const sent: HttpRequest[] = [];
		await probe(answering(200, LISTENING, sent), secret);

		// n8n keeps the bytes of what comes as JSON.
		expect(sent).toMatchObject([
			{ method: 'POST', url: URL, headers: { 'Content-Type': 'application/json' } },
		]);
		const [request] = sent;
		const rawBody = Buffer.from(typeof request?.body === 'string' ? request.body : '');
		const signature: unknown = request?.headers?.['Service-Signature'];
		expect(isProbe({ rawBody, signature })).toBe(true);
		expect(checkSignature(signature, rawBody, ['whsec'], Date.now())).toBe(
			secret === undefined ? 'missing' : 'valid',
		);
	},
);

test.each([
	'',
	'{}',
	'{"probe":"webhook_secret" }',
	'{"probe":"webhook_secret","id":"q","status":"completed"}',
])('%j is no probe', (body) => {
	expect(isProbe({ rawBody: Buffer.from(body), signature: undefined })).toBe(false);
});
