import { expect } from 'vitest';

import { NODE } from '../../support/engine/engine.mts';
import { sandboxTest } from '../../support/fixtures.mts';
import { answerTo, deliver, listening, signed } from '../../support/engine/listening.mts';

const test = sandboxTest({ answerTime: [0, 0] });

test('the trigger starts the workflow with the answer to a question that names its address, once', async ({ sandbox, run }) => {
	const { url, workflowId, waitForExecution, begun } = await listening({ sandbox });
	const asked = await run('question.ask', { question: 'Is the cap usual?', callbackTarget: 'url', callbackUrl: url });
	const execution = await waitForExecution();
	const delivery = await sandbox.waitForCallback(() => true);

	expect(new URL(url).pathname).toBe(`/webhook/legal-ai/${workflowId}`);
	expect(delivery.status).toBe(200);
	expect(execution.status).toBe('success');
	expect(execution.itemsOf(NODE)).toMatchObject([{ json: { id: asked.json[0]?.id, status: 'completed' } }]);
	expect(execution.itemsOf('After')).toHaveLength(1);

	const again = await sandbox.resendCallback(delivery.questionId);
	expect(again.status).toBe(200);
	expect(begun()).toBe(1);
});

test('the trigger answers 401 to what is not signed by the service, and 400 to a signed body that is no callback', async ({ sandbox }) => {
	const { url, begun } = await listening({ sandbox });
	const body = JSON.stringify(answerTo('q'));
	const stale = signed(sandbox.webhookSecret, body, Math.floor(Date.now() / 1000) - 90);

	for (const signature of [undefined, '', 't=1,v1=00', 'nonsense', signed('wrong', body), stale]) {
		expect(await deliver(sandbox, url, body, { signature })).toMatchObject([401, { error_code: 'invalid_signature' }]);
	}
	expect(await deliver(sandbox, url, { hello: 'there' })).toMatchObject([400, { error_code: 'invalid_payload' }]);
	expect(begun()).toBe(0);
});

test("the trigger can't be activated without a webhook secret, unless Verify Signature is off", async ({ sandbox }) => {
	const credential = { webhookSecret: ' ' };
	await expect(listening({ sandbox, credential })).rejects.toThrow(
		'The "Legal AI API" credential has no "Webhook Secret". Enter the one that you set, or were shown, when you created the API key, or turn off',
	);
	const parameters = { options: { verifySignature: false } };
	await expect(listening({ sandbox, credential, parameters })).resolves.toHaveProperty('url');
});

test('the trigger is gone once the workflow is deactivated', async ({ sandbox }) => {
	const { url, deactivate } = await listening({ sandbox });
	await deactivate();
	expect(await deliver(sandbox, url, {})).toMatchObject([404, { code: 404 }]);
});

test('an event that the trigger does not listen for starts nothing', async ({ sandbox }) => {
	const { url, begun } = await listening({ sandbox, parameters: { events: ['error'] } });
	expect(await deliver(sandbox, url, answerTo('q'))).toMatchObject([200, { message: expect.stringContaining('not listen') as string }]);
	expect(begun()).toBe(0);
});

test.for<[query: string, said: object, assistant: object]>([
	['?assistant_id=contracts', {}, { assistant_id: 'contracts' }],
	['', {}, {}],
	['?assistant_id=', {}, {}],
	// The address is not signed.
	['?assistant_id=forged', { assistant_id: 'contracts' }, { assistant_id: 'contracts' }],
])('the item of a callback to an address with "%s" that says %j has %j', async ([query, said, assistant], { sandbox }) => {
	const { url, waitForExecution } = await listening({ sandbox });
	await deliver(sandbox, url + query, answerTo('q', said));
	expect((await waitForExecution()).itemsOf(NODE).map(({ json }) => json)).toEqual([{ ...answerTo('q'), ...assistant }]);
});

test('the item of a callback has no keys that would change it as n8n copies and stores it', async ({ sandbox }) => {
	const { url, waitForExecution } = await listening({ sandbox });
	const names = '"__proto__":{"polluted":true},"constructor":{"polluted":true}';
	const body = JSON.stringify(answerTo('q', { attachments: [{ file_name: 'a.pdf' }] }));
	await deliver(sandbox, url, body.replace(/\{(?=")/g, `{${names},`));
	const [item] = (await waitForExecution()).itemsOf('After');
	expect(item?.json).toStrictEqual(JSON.parse(body));
	expect(Reflect.get(item?.json ?? {}, 'polluted')).toBeUndefined();
});

test('the item of a callback begins with what people read, and ends with IDs, whatever the order of the callback', async ({ sandbox }) => {
	const { url, waitForExecution } = await listening({ sandbox });
	const { id, session_id, ...readable } = answerTo('q', { later: true });
	await deliver(sandbox, `${url}?assistant_id=contracts`, { id, session_id, ...readable });
	const [item] = (await waitForExecution()).itemsOf(NODE);
	expect(Object.keys(item?.json ?? {})).toEqual([
		...['status', 'answer', 'reason', 'session_url', 'attachments', 'later', 'session_id', 'id', 'assistant_id'],
	]);
});

test.for(['application/octet-stream', 'application/vnd.api+json', 'application/xml', 'text/plain; charset=utf-8', 'nonsense'])(
	'a signed callback counts, whatever its content type: %s',
	async (contentType, { sandbox }) => {
		const { url, begun } = await listening({ sandbox });
		expect((await deliver(sandbox, url, answerTo('q'), { headers: { 'content-type': contentType } }))[0]).toBe(200);
		expect(begun()).toBe(1);
	},
);
