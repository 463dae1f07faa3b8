import type { INodeParameters, IWorkflowSettings } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { runNode } from '../support/engine/engine.mts';
import { sandboxOfFile } from '../support/lifetimes.mts';
import { PROBES } from './operations.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity, answerTime: [0, 0] }, 100);

const ON_ERROR = ['continueRegularOutput', 'continueErrorOutput'] as const;

const probes = Object.entries(PROBES).flatMap(([operation, ways]) =>
	ways.map((probe) => ({ title: `${operation} ${probe.way ?? ''}`.trim(), operation, probe })),
);

describe.each(ON_ERROR)('on error: %s', (onError) => {
	test.each(probes)(
		'$title: an item that fails is output as failed, the other one as usual',
		async ({ operation, probe }) => {
			const { parameters, item = { json: {} } } = await probe.prepare(sandbox);
			const body = { error_code: 'not_now', message: 'In the words of the service.' };
			sandbox.faults.add({ kind: 'status', status: 422, body, match: probe.route });
			const [resource = '', name = ''] = operation.split('.');
			const run = await runNode({
				sandbox,
				parameters: { resource, operation: name, ...parameters },
				items: [item, { ...item, json: { ...item.json } }],
				node: { onError },
			});

			const [regular = [], failures = []] = run.outputs;
			const out = onError === 'continueErrorOutput' ? failures : regular;
			const failed = out.filter(({ json }) => 'error' in json);
			expect(['success', 'waiting']).toContain(run.status);
			expect(failed).toMatchObject([
				{ json: { error: expect.stringMatching(/\[item [01]\]$/) as unknown, details: { http_code: '422', error_code: 'not_now' } } },
			]);
			const others = regular.filter((each) => !failed.includes(each));
			expect(others.length).toBeGreaterThan(0);
			const paired = [...failed, ...others].map(({ pairedItem }) => pairedItem);
			expect(new Set(paired.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"item":0}', '{"item":1}']));
		},
	);
});

describe.each(ON_ERROR)('on error: %s, an item whose question was answered', (onError) => {
	const wait = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' };
	const items = ['One?', 'Two?'].map((words) => ({ json: { words } }));

	test.each<[string, INodeParameters, 'error' | 'completed', IWorkflowSettings]>([
		['with an error', { onErrorStatus: 'fail' }, 'error', {}],
		['with an error, in a workflow that keeps files in the JSON', { onErrorStatus: 'fail' }, 'error', { binaryMode: 'combined' }],
		['with a file that can not be downloaded', { downloadFiles: true }, 'completed', {}],
	])('%s keeps the whole question beside the error', async (_how, options, status, settings) => {
		sandbox.settings.answer = ({ text }) => ({ status: text === 'Two?' ? status : 'completed', answer: `Answer to ${text}` });
		const file = { file_name: 'redline.docx', content_type: null, content_length: null, url: `${sandbox.baseUrl}/nowhere` };
		sandbox.faults.add({
			kind: 'body',
			body: (body) => (body.includes('Two?') ? JSON.stringify({ ...(JSON.parse(body) as object), attachments: [file] }) : body),
			match: ({ method }) => method === 'GET',
			times: Infinity,
		});
		const parameters = { ...wait, options: { ...options, waitUsing: 'polling' } };
		const run = await runNode({ sandbox, parameters, items, node: { onError }, settings });

		const [regular = [], failures = []] = run.outputs;
		const failed = (onError === 'continueErrorOutput' ? failures : regular).at(-1);
		const question = sandbox.questions.find(({ text }) => text === 'Two?');
		expect(failed?.json).toMatchObject({
			id: question?.id,
			session_id: question?.sessionId,
			status,
			answer: 'Answer to Two?',
			error: expect.stringMatching(/\[item 1\]$/) as unknown,
			details: { description: expect.stringContaining(question?.id ?? '?') as unknown },
		});
		expect(regular[0]?.json).toMatchObject({ answer: 'Answer to One?' });
		expect(regular).toHaveLength(onError === 'continueErrorOutput' ? 1 : 2);
	});
});
