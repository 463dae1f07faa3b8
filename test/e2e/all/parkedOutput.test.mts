import { createHash, randomUUID } from 'node:crypto';

import { bundledContract } from '../../../harness/examples.mts';
import { type Execution, readItems } from '../../../harness/executions.mts';
import { toWebFile } from '../../../harness/form.mts';
import type { N8nClient } from '../../../harness/n8nClient.mts';
import { asRecord } from '../../../harness/unknownJson.mts';
import { chain, node, questions } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { textWith } from '../../support/matchers.mts';
import { test } from '../../support/n8n/fixtures.mts';
import {
	after,
	readAnswers,
	askAndWait,
	completeAll,
	startCaller,
} from '../../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { ask } from '../../support/sandboxForTests.mts';

// What n8n does with the output of a node that parks. Files are on disk, as they are in an n8n of one process.

test.override({ serviceOptions: { answer: answersWhenTold, requestsPerMinute: Infinity } });

const contract = await bundledContract('mutual-nda.pdf');

/** The contents of the files of a node's items. */
async function hashFiles(n8n: N8nClient, execution: Execution, nodeName: string) {
	const files = readItems(execution, nodeName).flatMap(({ binary }) => Object.values(binary ?? {}));
	return await Promise.all(files.map(async (file) => sha256(await n8n.binary(file))));
}

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Makes two items of the one that comes in, with its file, which continue a session. */
const twice = (session: string) =>
	node(
		'Twice',
		'n8n-nodes-base.code',
		{
			jsCode: `return [0, 1].map((index) => ({ json: { words: 'Question ' + index, session: '${session}' }, binary: $input.first().binary }));`,
		},
		{ typeVersion: 2 },
	);

test('the file of a webhook that calls a sub-workflow is there after the wait: for the next question, in both workflows, beside what was downloaded', async ({
	n8n,
	service,
	credential,
}) => {
	await ask(service, 'Opening');
	await completeAll(service);
	const redline = {
		fileName: 'Redline.md',
		contentType: 'text/markdown',
		content: Buffer.from('# Redline'),
	};
	service.settings.answer = ({ text }) => ({
		status: 'completed',
		answer: `Answer to ${text}`,
		attachments: [redline],
		after: Infinity,
	});
	const body = new FormData();
	body.set('contract', toWebFile(contract));
	const attachments = { attachment: [{ source: 'allBinary' }] };
	const parameters = {
		attachments,
		options: { downloadFiles: true },
		additionalFields: { sessionId: '={{ $json.session }}' },
	};
	const nodes = [
		twice(service.asked('Opening').sessionId ?? ''),
		askAndWait(credential, parameters),
		after,
	];
	const [caller, called] = await startCaller(n8n, 'file-called', nodes, { body });
	await completeAll(service);
	await service.waitForQuestion(({ text }) => text === 'Question 1');
	await n8n.waitForExecution(called.id, ['waiting']);
	wakeNow(n8n, called.id);
	await n8n.waitForExecution(called.id, ['waiting']);
	await completeAll(service);
	const file = sha256(contract.content);
	const over = await n8n.waitForExecution(caller.id);
	expect(readAnswers(over)).toEqual(['Answer to Question 0', 'Answer to Question 1']);
	expect(service.questions.slice(1).map(({ attachments: sent }) => sent)).toMatchObject([
		[{ sha256: file }],
		[{ sha256: file }],
	]);
	const all = [sha256(redline.content), file, sha256(redline.content), file];
	expect(await hashFiles(n8n, over, 'After')).toEqual(all);
	expect(await hashFiles(n8n, await n8n.execution(called.id), 'After')).toEqual(all);
});

const chatBody = JSON.stringify({ action: 'sendMessage', sessionId: 's', chatInput: 'Hello' });
const chatTrigger = (typeVersion: number, path: string, options = {}) =>
	node(
		'Chat',
		'@n8n/n8n-nodes-langchain.chatTrigger',
		{ public: true, options },
		{ typeVersion, webhookId: path },
	);

const chatWith = async (n8n: N8nClient, path: string) =>
	await fetch(`${n8n.baseUrl}/webhook/${path}/chat`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: chatBody,
	});

test('who chats with a workflow that responds "When Last Node Finishes" is told that the question is in progress', async ({
	n8n,
	service,
	credential,
}) => {
	const path = randomUUID();
	const workflow = await n8n.publish(
		chain('Last', [chatTrigger(1.1, path), questions(1), askAndWait(credential), after]),
	);
	const told: unknown = await (await chatWith(n8n, path)).json();
	const { id } = service.asked('Question 0');
	expect(told).toMatchObject({ output: textWith('working on this'), status: 'in_progress', id });
	await completeAll(service);
	const over = await n8n.waitForNextExecution(workflow.id, []);
	expect([readAnswers(over), over.runs.Ask?.length, over.runs.After?.length]).toEqual([
		['Answer to Question 0'],
		1,
		1,
	]);
});

test('a chat whose trigger responds "Using Response Nodes" gets the answer', async ({
	n8n,
	service,
	credential,
}) => {
	const path = randomUUID();
	const reply = node(
		'Reply',
		'@n8n/n8n-nodes-langchain.chat',
		{ operation: 'send', message: '={{ $json.answer }}' },
		{ typeVersion: 1.3, webhookId: randomUUID() },
	);
	await n8n.publish(
		chain('Chat', [
			chatTrigger(1.4, path, { responseMode: 'responseNodes' }),
			questions(1),
			askAndWait(credential),
			reply,
		]),
	);
	const response = await chatWith(n8n, path);
	const { executionId, resumeToken } = asRecord(await response.json(), 'The response');
	const query = new URLSearchParams({
		sessionId: 's',
		executionId: String(executionId),
		token: String(resumeToken),
		isPublic: 'true',
	});
	const socket = new WebSocket(`${n8n.baseUrl.replace('http', 'ws')}/chat?${query}`);
	const messages: unknown[] = [];
	socket.addEventListener('message', ({ data }) => messages.push(data));
	await n8n.waitForExecution(String(executionId), ['waiting']);
	await completeAll(service);
	await expect.poll(() => messages, { timeout: 60_000 }).toContain('Answer to Question 0');
	socket.close();
	expect(messages.filter((each) => /in_progress|working/.test(String(each)))).toEqual([]);
});
