import fc from 'fast-check';
import { expect } from 'vitest';

import type { FaultRule } from '../sandbox/sandbox.mts';
import { logs, NODE, type Execution } from '../support/engine/engine.mts';
import { sandboxTest } from '../support/fixtures.mts';
import { answerTo, deliver, listening } from '../support/engine/listening.mts';

const test = sandboxTest({}, 100);

/** The names that file stores have for what makes an address worth stealing. */
const NAMES = ['X-Amz-Signature', 'X-Amz-Credential', 'X-Amz-Security-Token', 'X-Goog-Signature', 'Signature', 'sig', 'AWSAccessKeyId', 'token', 'Policy', 'se'];

/** What a file store may answer, with the address that it was asked for in whatever it says. */
const answers: Record<string, (url: URL) => FaultRule> = {
	'quotes the address': ({ href }) => ({ kind: 'status', status: 403, body: `No access to ${href}.` }),
	'quotes it in XML': ({ href }) => ({
		...{ kind: 'status', status: 403 },
		body: `<Error><Code>Denied</Code><Message>${href.replaceAll('&', '&amp;')}</Message></Error>`,
	}),
	'quotes it in JSON': ({ href }) => ({ kind: 'status', status: 400, body: { message: `Not here: "${href}"`, error_code: href } }),
	'quotes it in HTML': ({ href }) => ({ kind: 'status', status: 500, body: `<html><a href="${href}">${href}</a></html>` }),
	'quotes the query': ({ search }) => ({ kind: 'status', status: 400, body: `Bad query ${search.slice(1)}` }),
	'quotes the end of the query': ({ search }) => ({ kind: 'status', status: 404, body: `Bad query ${search.slice(search.lastIndexOf('&'))}` }),
	'quotes path and query': ({ pathname, search }) => ({ kind: 'status', status: 503, body: `Cannot GET ${pathname}${search}` }),
	'redirects to where nobody may go': ({ search }) => ({ kind: 'redirect', location: `http://10.0.0.1/a${search}` }),
	'redirects in circles': ({ href }) => ({ kind: 'redirect', location: href }),
	'redirects to nowhere': ({ search }) => ({ kind: 'redirect', location: `http://127.0.0.1:1/${search}` }),
	'cuts the connection': () => ({ kind: 'reset', when: 'unhandled' }),
	'sends half': () => ({ kind: 'cut', after: 'half' }),
};

const cases = fc.record({
	names: fc.shuffledSubarray(NAMES, { minLength: 1 }),
	secret: fc.stringMatching(/^[A-Za-z0-9]{16,64}$/),
	answer: fc.constantFrom(...Object.keys(answers)),
	fileName: fc.constantFrom('Redline.docx', null),
});

/** What people are shown of an execution, its data aside. */
function shown(execution: Execution): string {
	const { message, description, stack, cause, context } = execution.error ?? {};
	const failed = execution.itemsOf(NODE).map(({ json }) => [json.error, json.details]);
	return JSON.stringify([message, description, stack, String(cause), context, failed, execution.hints]);
}

test('errors, hints and logs never show a presigned address, whatever its file store answers', { timeout: 120_000 }, async ({ sandbox, run }) => {
	const seen: string[] = [];
	await fc.assert(
		fc.asyncProperty(cases, async ({ names, secret, answer, fileName }) => {
			const fileId = sandbox.files.keepGenerated({ fileName: 'a', contentType: 'text/plain', content: Buffer.from('a') });
			const url = new URL(`/storage/generated/${fileId}`, sandbox.origin);
			for (const name of names) url.searchParams.set(name, secret);
			const effect = answers[answer]?.(url);
			if (effect === undefined) throw new Error(answer);
			sandbox.faults.clear();
			sandbox.faults.add({ ...effect, match: ({ path }) => path.startsWith('/storage/'), times: Infinity });
			const before = logs.length;

			const items = [{ json: { url: url.href } }];
			const stopped = await run('file.download', { url: '={{ $json.url }}' }, { items });
			const continued = await run('file.download', { url: '={{ $json.url }}' }, { items, node: { onError: 'continueRegularOutput' } });
			const trigger = await listening({ sandbox, parameters: { options: { downloadFiles: true } } });
			await deliver(sandbox, trigger.url, answerTo(fileId, { attachments: [{ file_name: fileName, url: url.href }] }));
			const triggered = await trigger.waitForExecution(undefined, 3_600_000);

			const texts = [...[stopped, continued, triggered].map(shown)];
			expect(stopped.error).toBeDefined();
			expect(triggered.error).toBeDefined();
			for (const text of [...texts, JSON.stringify(logs.slice(before))]) expect(text).not.toContain(secret);
			seen.push(answer);
		}),
		{ numRuns: 60, endOnFailure: true },
	);
	expect(new Set(seen).size).toBe(Object.keys(answers).length);
});
