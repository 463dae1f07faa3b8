import { serviceSignature } from '../../sandbox/signature.mts';
import {
	askWorkflow,
	completed,
	deliver,
	triggerUrl,
	triggerWorkflow,
	unixTime,
} from '../../../harness/callbacks.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { freePort } from '../../../harness/n8nProcess.mts';
import { until } from '../../../harness/polling.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../../support/n8n/service.mts';

const secret = 'whsec-addresses';

const port = await freePort();
const n8n = await n8nOfThisFile({}, port);
const { sandbox, credential } = await serviceOfThisFile(
	{ answerTime: [20, 40], webhookSecret: secret },
	n8n,
);

test("if n8n's public address or webhook endpoint changes, the answer still arrives, or the question is not asked", async () => {
	const answering = await n8n.publish(triggerWorkflow(credential));
	const callbackWorkflow = answering.id;
	const asking = await n8n.createWorkflow(
		askWorkflow(credential, { callbackTarget: 'workflow', callbackWorkflow }),
	);
	const ask = async () => await n8n.waitForExecution(await n8n.run(asking));
	const answered = async (answers: number) => {
		await until(`${answers} answers`, async () =>
			(await n8n.executions(answering.id)).length === answers ? true : undefined,
		);
	};

	// As it was when the workflow was activated.
	expect((await ask()).failure).toBeUndefined();
	await answered(1);

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

	// Another public address, set after the workflow was activated.
	await n8n.restart({ WEBHOOK_URL: `http://127.0.0.1:${port}/` });
	expect((await ask()).failure).toBeUndefined();
	await answered(2);
	await sandbox.waitForCallback(({ url }) => url.startsWith('http://127.0.0.1'));
	expect(sandbox.callbacks.map(({ url }) => url)).toEqual([
		`http://localhost:${port}/webhook/legal-ai/${answering.id}?assistant_id=default`,
		`http://127.0.0.1:${port}/webhook/legal-ai/${answering.id}?assistant_id=default`,
	]);

	// A renamed webhook endpoint: nobody listens at the address that follows from the one for resuming.
	await n8n.restart({ N8N_ENDPOINT_WEBHOOK: 'hooks' });
	const misled = await ask();
	expect(misled.failure?.message).toContain('No Legal AI Trigger listens in');
	expect(misled.failure?.description).toContain('paste the Production URL');
	expect(
		await deliver(`${n8n.baseUrl}/hooks/legal-ai/${answering.id}`, secret, completed()),
	).toMatchObject({ status: 200 });
	const callbackUrl = `${n8n.baseUrl}/hooks/legal-ai/${answering.id}`;
	const pasting = await n8n.createWorkflow(
		askWorkflow(credential, { callbackTarget: 'url', callbackUrl }),
	);
	await n8n.waitForExecution(await n8n.run(pasting));
	await answered(4);

	// A renamed endpoint for resuming: nothing follows from it.
	await n8n.restart({ N8N_ENDPOINT_WEBHOOK_WAIT: 'hooks-waiting' });
	const lost = await ask();
	expect(lost.failure?.message).toContain('could not be determined');
	expect(lost.failure?.description).toContain('paste the Production URL');
	expect(sandbox.questions).toHaveLength(3);

	// An execution that waits is resumed at the endpoint's new name.
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: Infinity });
	const waiting = await n8n.createWorkflow(askWorkflow(credential, { operation: 'askAndWait' }));
	const { id } = await n8n.waitForExecution(await n8n.run(waiting), [
		'waiting',
		'error',
		'success',
	]);
	const asked = sandbox.questions[3];
	expect(asked?.callbackUrl).toContain(`/hooks-waiting/${id}/`);
	await sandbox.complete(asked?.id ?? '');
	expect(itemsOf(await n8n.waitForExecution(id), 'Ask')).toMatchObject([
		{ json: { answer: 'Yes.' } },
	]);
}, 300_000);
