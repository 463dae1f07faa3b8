import { ASK, CHECK, test, textLike, textWith } from '../../support/fixtures.mts';

/** Answers come while the node checks in the process. */
test.override({ serviceOptions: { answerTime: [2_000, 2_000] }, timesFaster: 20 });

const question = 'May we sign?';
const byPolling = { question, options: { waitUsing: 'polling' } };
const inSyncMode = { question, options: { waitUsing: 'sync' } };

describe('question: ask and wait, in sync mode', () => {
	test('brings the answer with the request itself, and no hint', async ({ service, run }) => {
		const { json, hints } = await run('question.askAndWait', inSyncMode);
		expect(json).toMatchObject([{ status: 'completed' }]);
		expect(hints).toEqual([]);
		expect(service.requests).toHaveLength(1);
		expect(service.questions).toMatchObject([{ syncMode: true }]);
	});

	const body = { error_code: 'sync_timeout', message: 'Not done within 30 seconds' };

	test.for([400, 422, 504])(
		'says that the question may have been accepted if a %i comes after 30 seconds, and does not ask again',
		async (status, { service, run }) => {
			service.faults.add({ kind: 'latency', ms: 30_000, match: ASK });
			service.faults.add({ status, body, match: ASK });
			const { error } = await run('question.askAndWait', inSyncMode);
			expect(error?.message).toContain(`(${status}): Not done within 30 seconds`);
			expect(error?.description).toContain('may still have accepted the question');
			expect(service.requests).toHaveLength(1);
		},
	);
});

test.for([
	['askAndWait', {}, /so answers arrive a little later.*WEBHOOK_URL/],
	[
		'ask',
		{ callbackTarget: 'url', callbackUrl: 'http://10.0.0.5/answers' },
		/^The service can't send callbacks to 10\.0\.0\.5,.*WEBHOOK_URL/,
	],
] as const)(
	"question: %s says how answers get to n8n at once if the service can't reach it",
	async ([operation, target, said], { run }) => {
		const { hints, json } = await run(
			`question.${operation}`,
			{ question, ...target },
			{
				credential: { baseUrl: 'https://legal-ai.invalid/api/v1' },
				node: { onError: 'continueRegularOutput' },
			},
		);
		expect(json).toMatchObject([{ error: textWith('Could not connect') }]);
		expect(hints).toEqual([textLike(said)]);
	},
);

/** As people write WEBHOOK_URL, and as n8n then joins it. */
test.for([
	['a blank behind it', 'https://n8n.example.com/ /'],
	['a second slash', 'https://n8n.example.com//'],
	['a query', 'https://n8n.example.com/?from=mail/'],
	['a query behind a path', 'https://n8n.example.com/n8n?from=mail/'],
	['a fragment', 'https://n8n.example.com/n8n#/'],
	['no scheme', 'n8n.example.com:5678/'],
] as const)(
	'question: with %s in WEBHOOK_URL, "Ask and Wait" checks for the answer, and a hint names the setting; "Ask" says it before asking',
	async ([, webhookUrl], { service, run }) => {
		const waited = await run('question.askAndWait', { question }, { webhookUrl });
		expect(waited.json).toMatchObject([{ status: 'completed' }]);
		expect(waited.hints.join()).toContain('WEBHOOK_URL');
		expect(service.questions).toMatchObject([{ callbackUrl: undefined }]);
		const toTrigger = { question, callbackTarget: 'trigger' };
		const { error } = await run('question.ask', toTrigger, { webhookUrl });
		expect(`${error?.message} ${error?.description}`).toContain('WEBHOOK_URL');
		expect(service.questions).toHaveLength(1);
	},
);

test.for(['n8n.example.com/', 'https://n8n.example.com:5678 /'])(
	"with %s in WEBHOOK_URL, with which no node's fields can be read, the error names the setting",
	async (webhookUrl, { run }) => {
		const { error } = await run('user.get', {}, { webhookUrl });
		expect(error?.message).toContain('WEBHOOK_URL');
	},
);

test('a status that the specification does not name counts as open', async ({ service, run }) => {
	const body = (said: string) =>
		JSON.stringify({ ...(JSON.parse(said) as object), status: 'queued' });
	service.faults.add({ kind: 'body', body, match: ASK });
	expect((await run('question.askAndWait', byPolling)).json).toMatchObject([
		{ status: 'completed' },
	]);
	expect(service.requestsTo(CHECK)).not.toEqual([]);
});

describe('question: wait for answer', () => {
	test('passes on answered questions without a request, and waits for the others', async ({
		service,
		run,
	}) => {
		const early = await run('question.askAndWait', byPolling);
		const late = await run('question.askAndWait', {
			question,
			options: { waitUsing: 'polling', maxWait: 0 },
		});
		const before = service.requestsTo(CHECK).length;

		const { json } = await run(
			'question.waitForAnswer',
			{},
			{ items: [...early.items, ...late.items] },
		);
		expect(json).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
		expect(json[0]).toEqual(early.json[0]);
		expect(json[1]).not.toHaveProperty('timed_out');
		for (const { path } of service.requestsTo(CHECK).slice(before))
			expect(path).toContain(service.questions[1]?.id);
	});

	test('with a Max Wait of 0, looks once, and fails if that does', async ({ service, run }) => {
		await run('question.ask', { question });
		const { id } = service.asked();
		service.faults.add({ status: 500, match: CHECK, times: 20 });
		const { error } = await run(
			'question.waitForAnswer',
			{ options: { maxWait: 0 } },
			{ items: [{ json: { id } }] },
		);
		expect(error?.message).toContain('500');
	});

	test('passes on the question alone, without what else its item has, e.g. an earlier error', async ({
		run,
	}) => {
		const { json } = await run('question.askAndWait', byPolling);
		const more = { error: 'Not downloaded', details: {}, timed_out: true, matter: 'M-1' };
		const items = json.map((asked) => ({ json: { ...asked, ...more } }));
		expect((await run('question.waitForAnswer', {}, { items })).json).toEqual(json);
	});

	test.for(['get', 'waitForAnswer'])(
		'question: %s takes a question whose answer was parsed into an object',
		async (operation, { service, run }) => {
			const { json } = await run('question.askAndWait', byPolling);
			const items = json.map((asked) => ({ json: { ...asked, answer: { approved: true } } }));
			const before = service.requests.length;
			expect((await run(`question.${operation}`, {}, { items })).json).toEqual(json);
			expect(service.requests).toHaveLength(before + 1);
		},
	);
});
