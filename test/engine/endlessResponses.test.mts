import { ClientRequest, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
// Node's own: it ticks in real time.
import { setInterval } from 'node:timers';

import type { INodeParameters } from 'n8n-workflow';

import { accelerateClock, releaseClock } from '../support/clock.mts';
import { type NodeRunOptions, runOn, startServer } from '../support/fixtures.mts';

/** A request's own timeout starts again with every byte: it ends none of these. */
const idleTimeout = Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {};

function accelerate(factor: number) {
	accelerateClock(factor);
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', idleTimeout);
}

beforeEach(() => {
	accelerate(600);
});
afterAll(releaseClock);

async function serviceThat(answers: RequestListener): Promise<NodeRunOptions['service']> {
	return {
		baseUrl: `${await startServer(answers)}/api/v1`,
		apiKey: 'sk-svc-api1-1',
		webhookSecret: 'secret',
	};
}

/** A service whose responses arrive byte by byte forever; of each, `givenUp` resolves once the client has given it up. */
async function slowService() {
	const givenUp: Promise<unknown>[] = [];
	const service = await serviceThat((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).write('{');
		const timer = setInterval(() => response.write(' '), 5);
		response.on('error', () => undefined);
		givenUp.push(
			new Promise((resolve) => response.on('close', resolve)).finally(() => {
				clearInterval(timer);
			}),
		);
	});
	return { service, givenUp };
}

test.for<[string, INodeParameters, boolean]>([
	['user.get', {}, true],
	['task.create', { title: 'Review' }, false],
])(
	'%s: a response that arrives byte by byte forever ends in an error that says so',
	async ([operation, parameters, isAskedForAgain]) => {
		const { service, givenUp } = await slowService();
		const { error } = await runOn(service)(operation, parameters);
		expect(error?.message).toBe('The service did not respond in time (ETIMEDOUT)');
		expect(givenUp.length > 1).toBe(isAskedForAgain);
		await Promise.all(givenUp);
	},
);

test('a file that arrives byte by byte forever is requested once more, and then fails with an error that says so', async () => {
	accelerate(3_000);
	const { service, givenUp } = await slowService();
	const { error } = await runOn(service)('file.download', {
		url: `${new URL(service.baseUrl).origin}/storage/f1`,
	});
	expect(error?.message).toBe(
		'The file was not downloaded: the connection was interrupted (ETIMEDOUT)',
	);
	expect(await Promise.all(givenUp)).toHaveLength(2);
});

/** More than fit into the buffers of a connection that nobody reads: 64 kB each on the way. */
const BOMBS = 400;

test('a response is read up to 32 MB, even if it is compressed, and not requested again if it is longer', async () => {
	accelerate(20);
	const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
	let requests = 0;
	let bombs = 0;
	const service = await serviceThat((_request, response) => {
		requests += 1;
		response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
		const send = () => {
			while (bombs < BOMBS && response.write(bomb)) bombs += 1;
			if (bombs < BOMBS) response.once('drain', send);
			else response.end();
		};
		send();
	});
	const { error } = await runOn(service)('user.get');

	expect(error?.message).toBe("The service's response is larger than 32 MB");
	expect(requests).toBe(1);
	expect(bombs).toBeLessThan(BOMBS);
});
