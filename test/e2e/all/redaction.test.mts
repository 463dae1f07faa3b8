import { readExecution, type Execution } from '../../../harness/executions.mts';
import { until } from '../../../harness/polling.mts';
import { questions } from '../../../harness/workflows.mts';
import { answersWhenTold } from '../../scenarios/stage.mts';
import { type Stage, test } from '../../support/n8n/fixtures.mts';
import { after, askAndWait, start } from '../../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';

test.override({ serviceOptions: { answer: answersWhenTold } });

/** Asks two questions, has the service answer the first, and lets the node find that answer and park again. */
async function halfAnswered(
	{ n8n, service, credential }: Pick<Stage, 'n8n' | 'service' | 'credential'>,
	path: string,
) {
	const parked = await start(n8n, path, [
		questions(2),
		askAndWait(credential, { options: { onNoAnswer: 'fail' } }),
		after,
	]);
	service.callbackFaults.drop = true;
	await service.complete(service.asked('Question 0').id);
	wakeNow(n8n, parked.id);
	return await until('the answer to be kept, and the execution to be parked again', async () => {
		const execution = await n8n.execution(parked.id);
		const isKept = JSON.stringify(execution.stored).includes('Answer to');
		return isKept && execution.status === 'waiting' ? execution : undefined;
	});
}

/** Which words and IDs of the questions are anywhere in an execution's data, as n8n shows it whole and redacted. */
async function foundIn({ n8n, service }: Pick<Stage, 'n8n' | 'service'>, { id }: Execution) {
	const words = ['Answer to', 'Question 0', ...service.questions.map((question) => question.id)];
	const found = async (query: string) => {
		const { stored } = readExecution(await n8n.session.get(`/executions/${id}${query}`));
		const text = JSON.stringify(stored);
		return words.filter((word) => text.includes(word));
	};
	return { whole: await found(''), redacted: await found('?redactExecutionData=true') };
}

const onlyWhole = {
	whole: expect.arrayContaining(['Answer to', 'Question 0']) as unknown,
	redacted: [],
};

test('n8n redacts what an execution keeps of its questions and answers, while it waits and once it has failed', async ({
	n8n,
	service,
	credential,
}) => {
	const waiting = await halfAnswered({ n8n, service, credential }, 'redacted');
	expect([waiting.status, await foundIn({ n8n, service }, waiting)]).toEqual([
		'waiting',
		onlyWhole,
	]);
	await service.complete(service.asked('Question 1').id, {
		status: 'error',
		answer: 'Answer to nobody',
	});
	wakeNow(n8n, waiting.id);
	expect(
		await foundIn({ n8n, service }, await n8n.waitForExecution(waiting.id, ['error'])),
	).toEqual(onlyWhole);
});
