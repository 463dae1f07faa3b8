import { byHand } from '../../../harness/workflows.mts';
import { agentWorkflow, counsel, saidIn, toolName, wants } from '../../support/n8n/agents.mts';
import { type Stage, test } from '../../support/n8n/fixtures.mts';
import { connectToTools } from '../../support/n8n/mcpClient.mts';

test.override({
	serviceOptions: {
		answer: ({ text }) => ({ status: 'completed', answer: `Answer to ${text}`, after: 3_000 }),
	},
});

const question = 'May we sign the NDA?';

/** Runs an agent of version 2, which runs its tool within its own node, and gives what it says. */
async function consult(
	{ n8n, model, credential }: Pick<Stage, 'n8n' | 'model' | 'credential'>,
	questions: string[],
	settings: Parameters<typeof counsel>[2] = {},
) {
	wants(model, questions, false);
	const workflow = await n8n.createWorkflow(
		await agentWorkflow(n8n, model, byHand, counsel(credential, {}, settings), 2.2),
	);
	return saidIn(await n8n.runToEnd(workflow));
}

test("below an agent of version 2, the tool can't pause: it asks without a callback, and waits", async ({
	n8n,
	model,
	service,
	credential,
}) => {
	const questions = [question, 'Who bears the costs?'];
	const said = await consult({ n8n, model, credential }, questions);
	for (const asked of questions) expect(said).toContain(`Answer to ${asked}`);
	expect(service.questions).toMatchObject(
		questions.map((text) => ({ text, callbackUrl: undefined })),
	);
});

test.for([
	[
		'the connection was reset after it asked',
		{ kind: 'reset', when: 'handled', match: 'POST /assistants/:assistant_id/questions' },
	],
	[
		'a check was refused',
		{ status: 403, match: 'GET /assistants/:assistant_id/questions/:question_id' },
	],
] as const)(
	'a tool call that n8n tries again because %s does not ask again',
	async ([, rule], { n8n, model, service, credential }) => {
		const fault = service.faults.add(rule);
		expect(
			await consult({ n8n, model, credential }, [question], {
				retryOnFail: true,
				maxTries: 2,
				waitBetweenTries: 0,
			}),
		).toContain('Counsel says');
		expect(fault.fired).toBe(1);
		expect(service.questions).toHaveLength(1);
	},
);

test("a tool of n8n's MCP server waits for the answer itself, since nothing can be parked there", async ({
	n8n,
	service,
	credential,
}) => {
	const client = await connectToTools(n8n, 'counsel', counsel(credential));
	expect(await client.listTools()).toMatchObject({ tools: [{ name: toolName }] });
	const result = await client.callTool({ name: toolName, arguments: { Question: question } });
	expect(JSON.stringify(result)).toContain(`Answer to ${question}`);
	expect(service.questions).toMatchObject([{ text: question, callbackUrl: undefined }]);
	await client.close();
});
