import { startSandbox } from '../../sandbox/sandbox.mts';
import {
	ASK,
	legalAiNode,
	type NodeRun,
	questions,
	runNode,
	test,
	workflowAround,
} from '../../support/fixtures.mts';

test.override({ timesFaster: 100 });

const CONCURRENT = 5;
const asking = { question: '={{ $json.words }}' };

const rejected = {
	status: 422,
	body: { error_code: 'not_now', message: 'No.' },
} as const;

/** The context of an error that ends a node lists what was accepted before. */
const readAccepted = ({ error }: NodeRun) => {
	const { context } = error as unknown as {
		context: { accepted?: { item: number; id: string }[] };
	};
	return context.accepted ?? [];
};

test.for([422, 401])(
	'nothing new is sent once the first of 2,000 questions was rejected with %i',
	async (status, { service, run }) => {
		service.faults.add({ ...rejected, status, match: ASK, times: status === 401 ? Infinity : 1 });
		expect((await run('question.ask', asking, { items: questions(2_000) })).status).toBe('error');
		expect(service.requests.length).toBeLessThanOrEqual(CONCURRENT);
	},
);

test('if a question fails, the error lists the accepted ones, and a retry of the execution asks only the others', async ({
	service,
	run,
}) => {
	service.faults.add({ ...rejected, match: ASK, skip: 10 });
	// The process has taken turns with the other key for what it then did not send.
	const credential = { apiKey: 'sk-svc-api1-rested' };
	service.keys.set(credential.apiKey, undefined);
	const failed = await run('question.ask', asking, { items: questions(20), credential });
	const accepted = readAccepted(failed);
	const before = service.questions.length;
	expect(before).toBeGreaterThanOrEqual(9);
	expect(accepted.map(({ id }) => id).toSorted()).toEqual(
		service.questions.map(({ id }) => id).toSorted(),
	);
	const findText = (id: unknown) => service.questions.find((question) => question.id === id)?.text;
	expect(accepted.map(({ id }) => findText(id))).toEqual(
		accepted.map(({ item }) => `Question ${item}`),
	);
	expect(failed.error?.description).toContain(`(${before} in all)`);
	expect(failed.error?.description).toContain(`item 0: ${accepted[0]?.id ?? ''}`);

	const retried = await failed.retry();
	expect(service.questions).toHaveLength(20);
	expect(retried.json.map(({ id }) => findText(id))).toEqual(
		questions(20).map(({ json }) => json.words),
	);
});

test('a retry with the credential of another organization asks that one anew, and takes nothing of the first', async ({
	service,
}) => {
	const other = await startSandbox({ seed: 2 });
	onTestFinished(() => other.close());
	const parameters = {
		resource: 'question',
		operation: 'ask',
		question: '={{ $json.words }}',
	};
	const credential = { baseUrl: service.baseUrl, apiKey: service.apiKey };
	service.faults.add({ ...rejected, match: ASK, skip: 1 });
	const failed = await runNode({ service, parameters, credential, items: questions(2) });
	Object.assign(credential, { baseUrl: other.baseUrl, apiKey: other.apiKey });
	const credentials = { legalAiApi: { id: 'other', name: 'Other' } };
	const { json } = await failed.retry(
		workflowAround(legalAiNode({ parameters, node: { credentials } })),
	);
	expect(json.map(({ id }) => id)).toEqual(
		['Question 0', 'Question 1'].map((text) => other.asked(text).id),
	);
});
