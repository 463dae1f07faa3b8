import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample, withTexts } from '../../support/n8n/examples.mts';
import type { ExecutionSummary } from '../../support/n8n/executions.mts';
import type { N8nClient, StoredWorkflow } from '../../support/n8n/n8nClient.mts';
import { until } from '../../support/polling.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';

const key = { name: 'X-Api-Key', value: 'ticket-key' };
const ticket = { id: '4711', title: 'NDA with Meridian', description: 'Please review.', url: 'https://tickets.example.com/4711' };

/** What the ticket system was told. */
const told: { call: string; body: unknown; key: unknown }[] = [];
const ticketSystem = fastify({ forceCloseConnections: true });
let isDown = false;

let n8n: N8nClient;
let sandbox: Sandbox;
let workflow: StoredWorkflow;
beforeAll(async () => {
	n8n = connectToSharedN8n(inject('n8n'));
	sandbox = await startSandbox();
	ticketSystem.all('/api/tickets/*', async (request, reply) => {
		if (isDown) return await reply.code(503).send({});
		told.push({ call: `${request.method} ${request.url}`, body: request.body, key: request.headers['x-api-key'] });
		return {};
	});
	const origin = await ticketSystem.listen({ port: 0, host: '127.0.0.1' });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const example = await readExample(
		'ticket-system.json',
		await n8n.createCredential(credentialType, 'Tickets', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('httpHeaderAuth', 'Tickets', key),
	);
	workflow = await n8n.publish(withTexts(example, { 'https://tickets.example.com': origin }));
});
afterAll(async () => {
	await n8n.deactivate(workflow);
	await Promise.all([ticketSystem.close(), sandbox.close()]);
});

/** Reports a ticket as created, as the ticket system does, and waits until the workflow is through with it. */
async function report(headers: Readonly<Record<string, string>>): Promise<number> {
	const known = new Set((await n8n.executions(workflow.id)).map(({ id }) => id));
	const request = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(ticket) };
	const { status } = await n8n.callWebhook('legal-ticket', request);
	if (status !== 200) return status;
	// While the test runs, the schedule may come due.
	const isNext = ({ id, mode }: ExecutionSummary): boolean => mode === 'webhook' && !known.has(id);
	const { id } = await until('an execution', async () => (await n8n.executions(workflow.id)).find(isNext));
	expect(await n8n.waitForExecution(id)).toMatchObject({ status: 'success' });
	return status;
}

const ticketTasks = () => sandbox.tasks.ordered().filter(({ tags }) => tags.includes('ticket-4711'));

test('ticket-system.json: a ticket becomes one task, and the ticket is resolved once the task is completed', async () => {
	expect(await report({})).toBe(403);
	expect(await report({ [key.name]: key.value })).toBe(200);
	expect(await report({ [key.name]: key.value })).toBe(200);
	const [task, ...others] = ticketTasks();
	expect(others).toEqual([]);
	expect(task).toMatchObject({ title: ticket.title, tags: ['ticket', 'ticket-4711'] });
	const comment = {
		call: 'POST /api/tickets/4711/comments',
		body: { text: `The legal team has your request: ${task?.display_id ?? ''}.` },
		key: key.value,
	};
	expect(told).toEqual([comment]);

	const goBack = async () => await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Every 15 Minutes' }));
	expect(await goBack()).toMatchObject({ status: 'success' });
	expect(told).toEqual([comment]);

	if (task !== undefined) sandbox.tasks.update(task, { status: 'completed' });
	isDown = true;
	expect(await goBack()).toMatchObject({ status: 'error' });
	expect(task?.archived).toBe(false);
	isDown = false;
	expect(await goBack()).toMatchObject({ status: 'success' });
	expect(told).toEqual([comment, { call: 'PATCH /api/tickets/4711', body: { status: 'resolved' }, key: key.value }]);
	await until('the task to be archived', () => Promise.resolve(task?.archived === true ? true : undefined));
	expect(await goBack()).toMatchObject({ status: 'success' });
	expect(told).toHaveLength(2);
});
