import { CHECK, storeBinary, test, textLike, textWith } from '../support/fixtures.mts';
import { PROBES } from '../support/engine/operations.mts';

test.override({ serviceOptions: { answerTime: [0, 0] }, timesFaster: 100 });

// What a failed check means has a test of its own.
const probes = Object.entries(PROBES).flatMap(([operation, ways]) =>
	ways
		.filter(({ isCheck = false, first }) => !isCheck || first)
		.map((probe) => ({ title: `${operation} ${probe.way ?? ''}`.trim(), operation, probe })),
);

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'on error: %s,',
	(onError) => {
		test.for(probes)(
			'an item that fails is output as failed, with its files, the other one as usual: $title',
			async ({ operation, probe }, { service, run }) => {
				const { parameters, item } = await probe.prepare(service);
				const body = { error_code: 'not_now', message: 'In the words of the service.' };
				// A wait ends with 404 alone; 413 is the only one after which a file store is not asked for a new address.
				const refused = probe.isCheck ? 404 : 413;
				service.faults.add({ status: refused, body, match: probe.route });
				const contract = await storeBinary('The contract');
				const items = [0, 1].map(() => ({
					json: { ...item?.json },
					binary: { contract, ...item?.binary },
				}));
				const {
					status,
					outputs: [regular = [], failures = []],
				} = await run(operation, parameters, { items, node: { onError } });

				expect(['success', 'waiting']).toContain(status);
				const out = onError === 'continueErrorOutput' ? failures : regular;
				const failed = out.filter(({ json }) => 'error' in json);
				expect(failed).toMatchObject([
					{
						json: {
							error: textLike(/\[item [01]\]$/),
							details: { http_code: String(refused), error_code: 'not_now' },
						},
						binary: { contract },
					},
				]);
				const others = regular.filter((each) => !failed.includes(each));
				expect(others.length).toBeGreaterThan(0);
				const paired = [...failed, ...others].map(({ pairedItem }) => JSON.stringify(pairedItem));
				expect(new Set(paired)).toEqual(new Set(['{"item":0}', '{"item":1}']));
			},
		);
	},
);

test.for([
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const)(
	'on error: %s, items that fail as it is not known what to do are output as failed, with their files',
	async ([onError, output], { run }) => {
		const contract = await storeBinary('The contract');
		const items = [0, 1].map(() => ({ json: {}, binary: { contract } }));
		const operation = '={{ "none" }}';
		const { outputs } = await run('user.get', { operation }, { items, node: { onError } });
		expect(outputs[output]).toMatchObject(
			[0, 1].map((item) => ({
				json: { error: textWith('is not an operation') },
				binary: { contract },
				pairedItem: { item },
			})),
		);
	},
);

test("an item whose file can't be downloaded keeps the whole question beside the error, in a workflow that keeps files in the JSON, too", async ({
	service,
	run,
}) => {
	service.settings.answer = () => ({ status: 'completed', answer: 'Yes.' });
	const url = `${service.baseUrl}/nowhere`;
	const body = (sent: string) =>
		JSON.stringify({ ...(JSON.parse(sent) as object), attachments: [{ file_name: 'a.pdf', url }] });
	service.faults.add({ kind: 'body', body, match: CHECK, times: Infinity });
	const { json } = await run(
		'question.askAndWait',
		{ question: 'Redline it.', options: { downloadFiles: true, waitUsing: 'polling' } },
		{ node: { onError: 'continueRegularOutput' }, settings: { binaryMode: 'combined' } },
	);
	const { id, sessionId } = service.asked();
	expect(json).toMatchObject([
		{
			...{ id, session_id: sessionId, status: 'completed', answer: 'Yes.' },
			...{ error: textLike(/was not downloaded/), details: { description: textWith(id) } },
		},
	]);
});

test('a failed item whose error has no advice has no description', async ({ run }) => {
	const { json } = await run(
		'question.ask',
		{ question: '={{ $("Not There").item.json.x }}' },
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(json).toEqual([{ error: textWith('Referenced node'), details: {} }]);
});
