import { parse } from 'flatted';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { credentialType } from '../support/n8n/examples.mts';
import { finalStatuses, itemsOf, type Execution } from '../support/n8n/executions.mts';
import { startN8n, type N8n } from '../support/n8n/n8n.mts';
import type { StoredCredential, WorkflowDefinition } from '../support/n8n/n8nClient.mts';
import { until } from '../support/polling.mts';
import { asRecord, asText, type JsonRecord } from '../support/unknownJson.mts';
import { readLegacies, type KnownQuestion, type ParkedExecution } from '../support/upgrades.mts';
import { newestAgent } from './agents.mts';
import { startLanguageModel, type LanguageModel } from './languageModel.mts';
import { inDatabase, wakeNow } from './storedExecutions.mts';
import { wakingEveryTwoSeconds } from './wakingSoon.mts';

let n8n: N8n;
let model: LanguageModel;
let sandbox: Sandbox;
let credentials: readonly StoredCredential[];
/** The executions that a test has restored: the next one restores them with the same IDs. */
const restored: string[] = [];
beforeAll(async () => {
	n8n = await startN8n({ environment: wakingEveryTwoSeconds });
	model = await startLanguageModel();
	model.reply = ({ toolResults }) => `Counsel says: ${toolResults.join()}`;
});
beforeEach(async () => {
	sandbox = await startSandbox({ answer: ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: Infinity }) });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	credentials = [
		await n8n.createCredential(credentialType, 'Legal AI', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('openAiApi', 'Model', { apiKey: 'none', url: model.baseUrl }),
	];
});
afterEach(async () => {
	if (restored.length > 0) await n8n.session.post('/executions/delete', { ids: restored.splice(0) });
	await sandbox.close();
});
afterAll(async () => {
	await n8n.close();
	await model.close();
});

/** Asks the service what a parked execution has asked elsewhere. */
async function askAgain({ text, sessionId, isOpen }: KnownQuestion, callbackUrl: string): Promise<string> {
	const response = await fetch(`${sandbox.baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question: text, session_id: sessionId, callback_url: isOpen ? callbackUrl : undefined }),
	});
	const id = asText(asRecord(await response.json(), 'A question').id, 'The ID of a question');
	if (!isOpen) await sandbox.complete(id);
	return id;
}

/** Puts a parked execution into this n8n as if it had just been parked here: with the IDs that things have here, and now. */
async function restore(parked: ParkedExecution): Promise<string> {
	const ids = new Map<string, string>();
	const here = (text: string): string => [...ids].reduce((done, [old, now]) => done.replaceAll(old, now), text);
	for (const { id, name } of parked.credentials) ids.set(id, credentials.find((other) => other.name === name)?.id ?? '');
	const workflow = await n8n.createWorkflow(JSON.parse(here(JSON.stringify(parked.workflow))) as WorkflowDefinition);
	ids.set(parked.workflowId, workflow.id);

	const executionId = String(parked.entity.id);
	restored.push(executionId);
	const data = asText(parked.data.data, 'The stored data');
	const url = `${n8n.baseUrl}/webhook-waiting/${executionId}/legal-ai?signature=${asText(asRecord(parse(data), 'The stored data').resumeToken, 'The token')}`;
	for (const question of parked.questions) {
		const { sessionId } = question;
		ids.set(question.id, await askAgain({ ...question, sessionId: sessionId && ids.get(sessionId) }, url));
	}

	const age = Date.now() - parked.parkedAt;
	const moved = here(data).replace(/\b\d{13}\b/g, (ms) => String(Number(ms) + age));
	const waitTill = new Date(Date.now() + 3_600_000).toISOString().replace('T', ' ').replace('Z', '');
	insert('execution_entity', { ...parked.entity, workflowId: workflow.id, workflowVersionId: null, waitTill });
	insert('execution_data', { ...parked.data, workflowVersionId: null, workflowData: here(String(parked.data.workflowData)), data: moved });
	return executionId;
}

/** Stores a row, as far as the table still has its columns. */
function insert(table: string, row: JsonRecord): void {
	inDatabase(n8n, (database) => {
		const known = database.prepare(`SELECT name FROM pragma_table_info(?)`).all(table).map(({ name }) => String(name));
		const columns = Object.keys(row).filter((column) => known.includes(column));
		const places = columns.map(() => '?').join();
		const names = columns.map((column) => `"${column}"`).join();
		database.prepare(`INSERT INTO ${table} (${names}) VALUES (${places})`).run(...columns.map((column) => row[column] as string | number | null));
	});
}

/** Has the service answer whatever the execution waits for, until it is over. */
async function answerAll(id: string, way: 'callbacks' | 'waking'): Promise<Execution> {
	sandbox.callbackFaults.drop = way === 'waking';
	return await until('the execution to be over', async () => {
		const execution = await n8n.execution(id);
		if (finalStatuses.includes(execution.status)) return execution;
		const open = execution.status === 'waiting' ? sandbox.questions.filter(({ status }) => status === 'in_progress') : [];
		for (const question of open) await sandbox.complete(question.id);
		if (open.length > 0 && way === 'waking') wakeNow(n8n, id);
		return undefined;
	});
}

/** Whether an execution was parked below an AI Agent of a version that this n8n does not have: n8n 1 lacks the newest. */
function needsNewerAgent({ workflow }: ParkedExecution): boolean {
	return workflow.nodes.some(({ type, typeVersion }) => type === '@n8n/n8n-nodes-langchain.agent' && typeVersion > newestAgent);
}

describe.each(readLegacies())('what version $version has left', ({ allFields, parked }) => {
	test('as a workflow is taken as it is', async () => {
		const { id } = await n8n.createWorkflow(allFields);
		const { nodes } = await n8n.workflow(id);
		expect(nodes.map(({ parameters }) => parameters)).toEqual(allFields.nodes.map(({ parameters }) => parameters));
	});

	for (const execution of parked) describe.skipIf(needsNewerAgent(execution))(`parked: ${execution.name}`, () => {
		test.each(['callbacks', 'waking'] as const)('comes out with its answers by %s, and asks nothing again', async (way) => {
			const id = await restore(execution);
			const over = await answerAll(id, way);
			expect(over).toMatchObject({ status: 'success', failure: undefined });
			const texts = sandbox.questions.map(({ text }) => text);
			expect(new Set(texts).size).toBe(texts.length);
			const output = JSON.stringify(itemsOf(over, over.lastNode ?? '').map(({ json }) => json));
			for (const text of texts.filter((asked) => asked !== 'Opening')) expect(output).toContain(`Answer to ${text}`);
		});
	});
});
