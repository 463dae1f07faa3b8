import { fastify } from 'fastify';
import { afterAll, expect, inject, test } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample, withTexts } from '../../support/n8n/examples.mts';
import { itemsOf } from '../../support/n8n/executions.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

const n8n = connectToSharedN8n(inject('n8n'));
const sandbox = await startSandbox();
const fileStore = fastify({ forceCloseConnections: true });
fileStore.get<{ Params: { file: string } }>('/contracts/:file', async ({ params }, reply) =>
	await reply.type('application/pdf').send(Buffer.from(`%PDF-1.4 ${params.file}`)),
);
const origin = await fileStore.listen({ port: 0, host: '127.0.0.1' });
afterAll(async () => {
	await Promise.all([fileStore.close(), sandbox.close()]);
});

test('evaluation.json: 20 contracts are reviewed in one execution, and the verdicts are counted', async () => {
	const verdicts = ['accept', 'negotiate', 'reject'];
	sandbox.settings.answer = ({ attachments: [contract] }) => {
		const number = Number(/\d+/.exec(contract !== undefined && 'fileName' in contract ? contract.fileName : '')?.[0]);
		if (number === 4) return { status: 'error', answer: 'The file is damaged.' };
		if (number === 5) return { status: 'completed', answer: 'There is much to say.' };
		return { status: 'completed', answer: `**Verdict: ${verdicts[(number - 1) % 3] ?? ''}**\n\nBecause.` };
	};
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Evaluation', { baseUrl, apiKey, webhookSecret });
	const example = withTexts(await readExample('evaluation.json', credential), { 'https://files.example.com': origin });
	const workflow = await n8n.createWorkflow(example);
	await n8n.run(workflow);
	const execution = await n8n.waitForExecution(await answerOnceParked(n8n, sandbox, workflow, []));

	expect(execution.failure).toBeUndefined();
	expect(sandbox.questions).toHaveLength(20);
	expect(itemsOf(execution, 'Record Results')).toHaveLength(20);
	expect(itemsOf(execution, 'Record Results')).toContainEqual(
		expect.objectContaining({ json: expect.objectContaining({ contract: 'contract-20.pdf', expected: 'negotiate', verdict: 'negotiate', is_match: 'yes', run: execution.id }) as unknown }),
	);
	expect(itemsOf(execution, 'Write Score').map(({ json }) => json)).toEqual([
		{
			score: '18 of 20',
			misses: 'contract-05.pdf: expected negotiate, got none (completed)\ncontract-04.pdf: expected accept, got none (error)',
		},
	]);
});
