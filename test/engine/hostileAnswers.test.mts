import { gzipSync } from 'node:zlib';

import { isRecord } from '../../nodes/LegalAi/api/json.ts';
import { type Sandbox, sandboxTest, serverOfTest } from '../support/fixtures.mts';

const test = sandboxTest({}, 20);

/** Has the service answer with this body, and status 200. */
function answer({ faults }: Sandbox, body: string) {
	faults.add({ kind: 'body', body, times: Infinity });
}

/** More than fit into the buffers of a connection that nobody reads: 64 kB each on the way. */
const BOMBS = 400;

describe('a response with status 200', () => {
	test('that is nested 1,000 levels deep comes out whole', async ({ sandbox, run }) => {
		const depth = 1_000;
		answer(sandbox, '{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
		const { status, json } = await run('user.get');

		expect(status).toBe('success');
		let inside: unknown = json[0];
		let levels = 0;
		for (; isRecord(inside); levels += 1) inside = inside.a;
		expect([levels, inside]).toEqual([depth, 1]);
	});

	test('is read up to 32 MB, even if it is compressed, and not requested again if it is longer', async ({
		run,
	}) => {
		const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
		let requests = 0;
		let bombs = 0;
		const origin = await serverOfTest((_request, response) => {
			requests += 1;
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			const send = () => {
				while (bombs < BOMBS && response.write(bomb)) bombs += 1;
				if (bombs < BOMBS) response.once('drain', send);
				else response.end();
			};
			send();
		});
		const { error } = await run('user.get', {}, { credential: { baseUrl: `${origin}/api/v1` } });

		expect(error?.message).toBe("The service's response is larger than 32 MB [item 0]");
		expect(requests).toBe(1);
		expect(bombs).toBeLessThan(BOMBS);
	});
});
