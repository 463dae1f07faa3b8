import { credentialType } from '../../../harness/examples.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { legalAi } from '../../../harness/workflows.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { counsel, leftToTheModel, toolName } from '../../support/n8n/agents.mts';
import { type Stage, test as base } from '../../support/n8n/fixtures.mts';
import type { LanguageModel, ToolCall } from '../../support/n8n/languageModel.mts';
import { createN8nAgent } from '../../support/n8n/n8nAgents.mts';
import { toCredential } from '../../support/n8n/service.mts';

const answersAtOnce = { answerTime: [0, 0] } as const;

/** The service of another organization. */
const test = base.extend<{ otherService: Sandbox }>({
	otherService: async ({}, use) => {
		const other = await startSandbox({ ...answersAtOnce, seed: 2 });
		await use(other);
		await other.close();
	},
});
test.override({ serviceOptions: answersAtOnce });

/** Makes one of n8n's Agents that asks questions and creates tasks. */
async function createAgent(
	{ n8n, model }: Pick<Stage, 'n8n' | 'model'>,
	account: StoredCredential,
) {
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
async function allToldIn(
	model: LanguageModel,
	chat: Awaited<ReturnType<typeof createN8nAgent>>,
	calls: ToolCall[],
) {
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

test("one of n8n's Agents asks the same question again in a new chat, waits there for its answer, and creates another task of the same title", async ({
	n8n,
	model,
	service,
	credential,
}) => {
	const agent = await createAgent({ n8n, model }, credential);
	const title = 'Review the NDA';
	const calls = [asking('May we sign the NDA?'), creating(title)].flatMap((call) => [call, call]);
	const told = await allToldIn(model, agent, calls);
	expect(told).toMatchObject([...answers(service), ...tasks(service, title)]);
	expect(service.questions.map(({ callbackUrl }) => callbackUrl)).toEqual([undefined, undefined]);
});

test("one of n8n's Agents with another organization's credential asks and creates at that organization's service alone", async ({
	n8n,
	model,
	service,
	credential,
	otherService,
}) => {
	const agent = await createAgent({ n8n, model }, credential);
	const otherCredential = await n8n.createCredential(
		credentialType,
		'Other',
		toCredential(otherService),
	);
	const agentOfOther = await createAgent({ n8n, model }, otherCredential);
	const title = 'Review the lease';
	const calls = [asking('May we sign the lease?'), creating(title)];
	await allToldIn(model, agent, calls);
	const { length } = service.requests;
	const told = await allToldIn(model, agentOfOther, calls);
	expect(told).toMatchObject([...answers(otherService), ...tasks(otherService, title)]);
	expect(service.requests).toHaveLength(length);
});
