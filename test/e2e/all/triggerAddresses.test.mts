import { serviceSignature } from '../../sandbox/signature.mts';
import {
	askWorkflow,
	completed,
	deliver,
	triggerUrl,
	triggerWorkflow,
	unixTime,
} from '../../../harness/callbacks.mts';
import { freePort } from '../../../harness/n8nProcess.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';

const secret = 'whsec-addresses';

const port = await freePort();
const n8n = await n8nOfThisFile({}, port);
const { sandbox, credential } = await serviceOfThisFile(
	{ answerTime: [20, 40], webhookSecret: secret },
	n8n,
);

test("if n8n's webhook endpoint is renamed, no question is asked whose answer would be lost, and the pasted address of the trigger works", async () => {
	const answering = await n8n.publish(triggerWorkflow(credential));

	// What is refused is told in n8n's log, without anything that would help to forge.
	const forged = completed();
	const time = unixTime();
	const genuine = serviceSignature(secret, time, JSON.stringify(forged));
	expect(
		await deliver(triggerUrl(n8n, answering), 'another secret', forged, { time }),
	).toMatchObject({ status: 401 });
	expect(n8n.main.log).toContain('Legal AI Trigger rejected a callback');
	expect(n8n.main.log).not.toContain(secret);
	expect(n8n.main.log).not.toContain(genuine.slice(-64));

	const ask = async (target: Parameters<typeof askWorkflow>[1]) =>
		await n8n.waitForExecution(
			await n8n.run(await n8n.createWorkflow(askWorkflow(credential, target))),
		);
	await n8n.restart({
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_ENDPOINT_WEBHOOK: 'hooks',
	});
	const misled = await ask({ callbackTarget: 'workflow', callbackWorkflow: answering.id });
	expect(misled.failure?.message).toContain('No Legal AI Trigger listens in');
	expect(misled.failure?.description).toContain('paste the Production URL');
	expect(sandbox.questions).toEqual([]);

	const callbackUrl = `${n8n.baseUrl}/hooks/legal-ai/${answering.id}`;
	expect((await ask({ callbackTarget: 'url', callbackUrl })).failure).toBeUndefined();
	expect((await n8n.waitForNextExecution(answering.id, [])).failure).toBeUndefined();
}, 120_000);
