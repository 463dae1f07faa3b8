import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { legalAi } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { counsel, counselOfThisFile, leftToTheModel, toolName } from '../../support/n8n/agents.mts';
import type { ToolCall } from '../../support/n8n/languageModel.mts';
import { createN8nAgent } from '../../support/n8n/n8nAgents.mts';
import { serviceOfThisFile } from '../../support/n8n/service.mts';

const { n8n, sandbox, credential, model } = await counselOfThisFile({ answerTime: [0, 0] });
const other = await serviceOfThisFile({ answerTime: [0, 0], seed: 2 }, n8n);
const agent = await agentOf(credential);
const agentOfOther = await agentOf(other.credential);

/** One of n8n's Agents that asks questions and creates tasks. */
async function agentOf(account: StoredCredential) {
	const parameters = { resource: 'task', operation: 'create', title: leftToTheModel('Title') };
	const task = legalAi('Create_task', account, parameters, {
		type: 'n8n-nodes-legal-ai.legalAiTool',
	});
	return await createN8nAgent(n8n, model, [counsel(account, { options: { maxWait: 0.2 } }), task]);
}

const asking = (question: string) => ({
	tool: toolName,
	arguments: { Question: question },
});
const creating = (title: string) => ({
	tool: 'Create_task',
	arguments: { Title: title },
});

/** Has an agent's model call one tool after the other, each in a new chat, and gives what it is told. */
async function allToldIn(chat: typeof agent, calls: ToolCall[]) {
	const told: unknown[] = [];
	for (const call of calls) {
		model.reply = ({ toolResults: [result] }) => result ?? call;
		told.push(JSON.parse(await chat('Please see to this.')));
	}
	return told;
}

const only = (record: object) => ({ status: 'success', data: [{ json: record }] });

/** What the questions, and the tasks of a title, tell those that have asked and created them, in order. */
const answers = ({ questions }: Sandbox) =>
	questions.map(({ id, answer }) => only({ id, status: 'completed', answer }));
const tasks = ({ tasks }: Sandbox, title: string) =>
	tasks
		.ordered()
		.toReversed()
		.flatMap((task) => (task.title === title ? only({ id: task.id, title }) : []));

test("one of n8n's Agents asks the same question again in a new chat, waits there for its answer, and creates another task of the same title", async () => {
	const title = 'Review the NDA';
	const calls = [asking('May we sign the NDA?'), creating(title)].flatMap((call) => [call, call]);
	const told = await allToldIn(agent, calls);
	expect(told).toMatchObject([...answers(sandbox), ...tasks(sandbox, title)]);
	expect(sandbox.questions.map(({ callbackUrl }) => callbackUrl)).toEqual([undefined, undefined]);
});

test("one of n8n's Agents with another organization's credential asks and creates at that organization's service alone", async () => {
	const title = 'Review the lease';
	const calls = [asking('May we sign the lease?'), creating(title)];
	await allToldIn(agent, calls);
	const { length } = sandbox.requests;
	const told = await allToldIn(agentOfOther, calls);
	expect(told).toMatchObject([...answers(other.sandbox), ...tasks(other.sandbox, title)]);
	expect(sandbox.requests).toHaveLength(length);
});
