import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { runNode, type NodeRun } from '../support/engine/engine.mts';
import { sandboxOfFile, serverOfTest } from '../support/lifetimes.mts';

const sandbox = await sandboxOfFile({ requestsPerMinute: Infinity }, 100);

const parameters = { resource: 'user', operation: 'get' };

const answering = async (body: string, contentType = 'application/json'): Promise<NodeRun> => {
	sandbox.faults.add({ kind: 'body', body, contentType, times: Infinity });
	return await runNode({ sandbox, parameters });
};

/** More than fit into the buffers of a connection that nobody reads: 64 kB each on the way. */
const BOMBS = 400;

describe('an answer with status 200', () => {
	test('that is a page is reported with its first words, without markup, key and signature', async () => {
		const page = `<html><script>var a = "${'x'.repeat(5000)}"</script><h1>Sign in</h1> to https://id.example.com/?next=a&sig=s3cr3t ${sandbox.apiKey} ${'words '.repeat(99)}</html>`;
		const run = await answering(page, 'text/html');

		expect(run.error?.message).toMatch(/^The response could not be read \(200\): Sign in to https:\/\/id\.example\.com\/ … words/);
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

	test('of 16 MB that is not JSON is turned down', async () => {
		const run = await answering('<script '.repeat(2 * 1024 * 1024));

		expect(run.error?.message).toContain('The response could not be read');
	});

	test('of more than 32 MB is read no further, however small it is on the way, and is not asked for again', async () => {
		const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
		let [requests, bombs] = [0, 0];
		const origin = await serverOfTest((_request, response) => {
			requests += 1;
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			const send = (): void => {
				while (bombs < BOMBS && response.write(bomb)) bombs += 1;
				if (bombs < BOMBS) response.once('drain', send);
				else response.end();
			};
			send();
		});
		const run = await runNode({ sandbox: { baseUrl: `${origin}/api/v1`, apiKey: 'sk-svc-api1-1', webhookSecret: 's' }, parameters });

		expect(run.error?.message).toBe('The service\'s response is larger than 32 MB [item 0]');
		expect(requests).toBe(1);
		expect(bombs).toBeLessThan(BOMBS);
	});
});
