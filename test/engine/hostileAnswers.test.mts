import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { runNode, type NodeRun } from '../support/engine/engine.mts';

install(100);
const sandbox = await startSandbox({ requestsPerMinute: Infinity });
beforeEach(() => sandbox.reset());
afterAll(async () => {
	await sandbox.close();
	uninstall();
});

const parameters = { resource: 'user', operation: 'get' };

const answering = async (body: string, contentType = 'application/json'): Promise<NodeRun> => {
	sandbox.faults.add({ kind: 'body', body, contentType, times: Infinity });
	return await runNode({ sandbox, parameters });
};

describe('an answer with status 200', () => {
	test.each([
		['invalid_request_body', '400', 'did not accept the request'],
		['unauthorized', '401', 'does not know this API key'],
		['resource_not_found', '404', 'nothing at this address'],
	])('that carries error_code %s is taken for what it says', async (error_code, httpCode, words) => {
		const run = await answering(JSON.stringify({ error_code, message: 'No.' }));

		expect(run.error).toMatchObject({ httpCode });
		expect(run.error?.message).toContain(words);
		expect(sandbox.requests).toHaveLength(1);
	});

	test('that is a page is reported with its first words, without markup, key and signature', async () => {
		const page = `<html><script>var a = "${'x'.repeat(5000)}"</script><h1>Sign in</h1> to https://id.example.com/?next=a&sig=s3cr3t ${sandbox.apiKey} ${'words '.repeat(99)}</html>`;
		const run = await answering(page, 'text/html');

		expect(run.error?.message).toMatch(/^The response did not come from the Legal AI service \(200\): Sign in to https:\/\/id\.example\.com\/ … words/);
		expect(run.error?.message.length).toBeLessThan(300);
	});

	test('that would change how objects behave is read without that', async () => {
		const run = await answering('{"user_id":"u","__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}},"constructor":{"prototype":{"polluted":true}}}');

		expect(run.status).toBe('success');
		expect(run.json[0]).toMatchObject({ user_id: 'u', a: {} });
		expect(Reflect.get({}, 'polluted')).toBeUndefined();
		expect(Reflect.get(run.json[0] ?? {}, 'polluted')).toBeUndefined();
	});

	test.each([100, 5_000, 200_000])('that is nested %i deep ends in an item or in words', async (depth) => {
		const run = await answering('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));

		if (run.status !== 'success') expect(run.error?.message).toMatch(/\[item 0\]/);
		expect(['success', 'error']).toContain(run.status);
	});

	test('of 16 MB is read', async () => {
		const run = await answering(JSON.stringify({ user_id: 'u', blob: 'b'.repeat(16 * 1024 * 1024) }));
		expect(run.status).toBe('success');
	});

	test('of 16 MB that is no JSON is turned down quickly', async () => {
		const began = performance.now();
		const run = await answering('<script '.repeat(2 * 1024 * 1024));

		expect(run.error?.message).toContain('did not come from the Legal AI service');
		expect(performance.now() - began).toBeLessThan(20_000);
	});
});
