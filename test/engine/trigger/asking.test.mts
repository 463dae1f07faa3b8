import {
	legalAiNode,
	logs,
	runWorkflow,
	test,
	textLike,
	textWith,
	workflowAround,
} from '../../support/fixtures.mts';

test.override({ serviceOptions: { answerTime: [0, 0], webhookSecret: 'whsec-first' } });

const question = 'Is the cap usual?';

/** The parameters of a question whose answer goes to another workflow's trigger. */
const toTrigger = (callbackWorkflow: string) => ({
	question,
	callbackTarget: 'workflow',
	callbackWorkflow,
});

describe('before a question is asked, its trigger', () => {
	test.for<[string, (id: string) => string]>([
		['its ID', (id) => ` ${id} `],
		['the address of its editor', (id) => `https://n8n.example.com/workflow/${id}?new=true`],
		[
			'the address of one of its executions',
			(id) => `https://n8n.example.com/base/workflow/${id}/executions/12`,
		],
	])('is found by %s, and leaves no warning', async ([, workflowBy], { service, run, listen }) => {
		const { url, workflowId } = await listen();
		const before = logs.length;
		await run('question.ask', toTrigger(workflowBy(workflowId)));
		expect(service.questions).toMatchObject([{ callbackUrl: textWith(`${url}?`) }]);
		expect(logs.slice(before).filter(({ level }) => level === 'warn')).toEqual([]);
	});

	test('may have a webhook secret that the node that asks does not have', async ({
		service,
		run,
		listen,
	}) => {
		const { workflowId } = await listen();
		const credential = { webhookSecret: '' };
		await run('question.ask', toTrigger(workflowId), { credential });
		expect(service.questions).toHaveLength(1);
	});

	test.for([
		['no webhook secret either', ''],
		['a webhook secret', 'whsec-first'],
	] as const)(
		'needs a webhook secret: it would refuse each answer, also if the node that asks has %s',
		async ([, webhookSecret], { service, run, listen }) => {
			const credential: { webhookSecret?: string } = {};
			const { workflowId } = await listen({ credential });
			// Without one, it could not have been published.
			credential.webhookSecret = '';
			const { error } = await run('question.ask', toTrigger(workflowId), {
				credential: { webhookSecret },
			});
			expect(error?.message).toContain('The Legal AI Trigger has no webhook secret');
			expect(error?.description).toContain('Enter the "Webhook Secret"');
			expect(service.questions).toEqual([]);
		},
	);

	test('needs no webhook secret if it does not verify signatures', async ({
		service,
		run,
		listen,
	}) => {
		const { workflowId } = await listen({
			credential: { webhookSecret: '' },
			parameters: { options: { verifySignature: false } },
		});
		await run('question.ask', toTrigger(workflowId), { credential: { webhookSecret: '' } });
		expect(service.questions).toHaveLength(1);
	});

	test('in its own workflow is found', async ({ service, n8n, listen }) => {
		const { url, workflowId } = await listen();
		const parameters = {
			resource: 'question',
			operation: 'ask',
			question,
			callbackTarget: 'trigger',
		};
		const asking = workflowAround(legalAiNode({ parameters }));
		await runWorkflow({ ...asking, id: workflowId }, { service, n8n });
		expect(service.questions).toMatchObject([{ callbackUrl: textWith(`${url}?`) }]);
	});

	test.for([
		['by its name', toTrigger('Contract answers')],
		['in its own workflow if that is not published', { question, callbackTarget: 'trigger' }],
	] as const)(
		"can't be found %s, and the error says what to do",
		async ([, parameters], { service, run }) => {
			const { error } = await run('question.ask', parameters);
			expect(error?.message).toContain(
				'No Legal AI Trigger listens in the workflow that "Send Answer To" names, so the question was not asked',
			);
			expect(error?.description).toMatch(/publish the workflow.*its address or ID, not its name/);
			expect(service.questions).toEqual([]);
		},
	);

	test('is asked once if it has another secret, and keeps each item from being asked', async ({
		service,
		run,
		listen,
	}) => {
		const credential = { webhookSecret: 'whsec-other' };
		const { workflowId, begun } = await listen({ credential });
		const before = logs.length;
		const { json } = await run('question.ask', toTrigger(workflowId), {
			items: [{ json: {} }, { json: {} }],
			node: { onError: 'continueRegularOutput' },
		});
		const message =
			/^The Legal AI Trigger would not accept the answer, so the question was not asked.*does not match/;
		const error = textLike(message);
		expect(json).toMatchObject([{ error }, { error }]);
		expect([service.questions, begun()]).toEqual([[], 0]);
		expect(logs.slice(before).filter(({ level }) => level === 'warn')).toHaveLength(1);
	});
});

describe("if this machine's clock differs from the service's", () => {
	const items = [{ json: {} }, { json: {} }];

	test.for([
		[90, 'behind'],
		[-90, 'ahead of'],
	] as const)(
		'by more than a minute, the trigger rejects each answer, and a hint of the run says so: %i s',
		async ([seconds, words], { service, run, listen }) => {
			service.settings.clockAheadMs = seconds * 1000;
			const { workflowId } = await listen();
			const { hints, json } = await run('question.ask', toTrigger(workflowId), { items });
			for (const { id } of json)
				expect(await service.waitForCallback(({ questionId }) => questionId === id)).toMatchObject({
					status: 401,
				});
			expect(hints).toEqual([textWith(`more than 60 seconds ${words} the service's`)]);
			expect(hints[0]).toContain('Set the clock');
		},
	);

	test('by more than a minute, another address than a trigger may accept them', async ({
		service,
		run,
	}) => {
		service.settings.clockAheadMs = 90_000;
		const callbackUrl = 'https://hooks.example.com/answers';
		const { hints } = await run('question.ask', { question, callbackTarget: 'url', callbackUrl });
		expect(hints).toEqual([]);
	});

	test('by less, there is no hint', async ({ service, run, listen }) => {
		service.settings.clockAheadMs = 50_000;
		const { workflowId } = await listen();
		expect((await run('question.ask', toTrigger(workflowId))).hints).toEqual([]);
	});
});
