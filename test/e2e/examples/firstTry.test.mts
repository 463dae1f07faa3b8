import { exampleNames, readExample } from '../../../harness/examples.mts';
import { finalStatuses } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { serviceOfThisFile } from '../../support/n8n/service.mts';

const { n8n, credential } = await serviceOfThisFile({
	answerTime: [1500, 2500],
	requestsPerMinute: Infinity,
});
const legalAi = 'n8n-nodes-legal-ai.legalAi';

test.concurrent.each(await exampleNames())(
	'*Execute workflow* shows what the Legal AI nodes of %s do, from its file as it is and with their credential alone',
	async (name) => {
		const workflow = await n8n.createWorkflow(await readExample(name, credential));
		const nodes = workflow.nodes.filter(({ type }) => type === legalAi);
		const questions = nodes.filter(({ parameters }) => parameters.resource === 'question');
		const id = await n8n.run(workflow);
		const { runs, failure } = await until(
			`the questions of ${name} to be over`,
			async () => {
				const execution = await n8n.execution(id);
				const isOver = ({ name: step }: { name: string }) =>
					execution.runs[step]?.[0]?.outputs.some((items) => items.length > 0);
				const isShown = questions.length > 0 && questions.every(isOver);
				return isShown || finalStatuses.includes(execution.status) ? execution : undefined;
			},
			{ timeout: 100_000 },
		);
		const shown = nodes.filter(({ name: step }) =>
			runs[step]?.[0]?.outputs.flat().some(({ json }) => !('error' in json)),
		);
		expect(shown, failure?.message).not.toEqual([]);
		for (const question of questions)
			expect(runs, failure?.message).toHaveProperty([question.name]);
	},
);
