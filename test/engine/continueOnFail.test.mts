import type { INodeParameters, IWorkflowSettings } from 'n8n-workflow';

import { CHECK, sandboxTest, textLike, textWith } from '../support/fixtures.mts';
import { PROBES } from '../support/engine/operations.mts';

const test = sandboxTest({ answerTime: [0, 0] }, 100);

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
			'an item that fails is output as failed, the other one as usual: $title',
			async ({ operation, probe }, { sandbox, run }) => {
				const { parameters, item = { json: {} } } = await probe.prepare(sandbox);
				const body = { error_code: 'not_now', message: 'In the words of the service.' };
				// A wait ends with 404 alone; 413 is the only one after which a file store is not asked for a new address.
				const refused = probe.isCheck ? 404 : 413;
				sandbox.faults.add({ status: refused, body, match: probe.route });
				const items = [item, { ...item, json: { ...item.json } }];
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
					},
				]);
				const others = regular.filter((each) => !failed.includes(each));
				expect(others.length).toBeGreaterThan(0);
				const paired = [...failed, ...others].map(({ pairedItem }) => JSON.stringify(pairedItem));
				expect(new Set(paired)).toEqual(new Set(['{"item":0}', '{"item":1}']));
			},
		);

		test.for<[string, INodeParameters, 'error' | 'completed', IWorkflowSettings]>([
			['with an error', { onNoAnswer: 'fail' }, 'error', {}],
			[
				'with an error, in a workflow that keeps files in the JSON',
				{ onNoAnswer: 'fail' },
				'error',
				{ binaryMode: 'combined' },
			],
			["with a file that can't be downloaded", { downloadFiles: true }, 'completed', {}],
		])(
			'an item whose question was answered %s keeps the whole question beside the error',
			async ([, options, status, settings], { sandbox, run }) => {
				sandbox.settings.answer = ({ text }) => ({
					status: text === 'Two?' ? status : 'completed',
					answer: `Answer to ${text}`,
				});
				const file = {
					file_name: 'redline.docx',
					content_type: null,
					content_length: null,
					url: `${sandbox.baseUrl}/nowhere`,
				};
				sandbox.faults.add({
					kind: 'body',
					body: (body) =>
						body.includes('Two?')
							? JSON.stringify({ ...(JSON.parse(body) as object), attachments: [file] })
							: body,
					match: CHECK,
					times: Infinity,
				});
				const parameters = {
					question: '={{ $json.words }}',
					options: { ...options, waitUsing: 'polling' },
				};
				const items = ['One?', 'Two?'].map((words) => ({ json: { words } }));
				const {
					outputs: [regular = [], failures = []],
				} = await run('question.askAndWait', parameters, { items, node: { onError }, settings });

				const failed = (onError === 'continueErrorOutput' ? failures : regular).at(-1);
				const { id, sessionId } = sandbox.asked('Two?');
				expect(failed?.json).toMatchObject({
					id,
					session_id: sessionId,
					status,
					answer: 'Answer to Two?',
					error: textLike(/\[item 1\]$/),
					details: { description: textWith(id) },
				});
				expect(regular[0]?.json).toMatchObject({ answer: 'Answer to One?' });
				expect(regular).toHaveLength(onError === 'continueErrorOutput' ? 1 : 2);
			},
		);
	},
);
