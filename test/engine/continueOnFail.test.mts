import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { runNode } from '../support/engine/engine.mts';
import { PROBES } from './operations.mts';

install(100);
const sandbox = await startSandbox({ requestsPerMinute: Infinity, newSessionsPerMinute: Infinity, answerTime: [0, 0] });
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await sandbox.close();
	uninstall();
});

const probes = Object.entries(PROBES).flatMap(([operation, ways]) =>
	ways.map((probe) => ({ title: `${operation} ${probe.way ?? ''}`.trim(), operation, probe })),
);

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)('on error: %s', (onError) => {
	test.each(probes)(
		'$title: an item that fails comes out as such, the other one as usual',
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
				{ json: { error: expect.stringMatching(/\[item [01]\]$/) as unknown, details: { http_code: '422' } } },
			]);
			const others = regular.filter((each) => !failed.includes(each));
			expect(others.length).toBeGreaterThan(0);
			const paired = [...failed, ...others].map(({ pairedItem }) => pairedItem);
			expect(new Set(paired.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"item":0}', '{"item":1}']));
		},
	);
});
