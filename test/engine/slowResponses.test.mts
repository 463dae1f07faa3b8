import {
	ClientRequest,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
// Node's own: it ticks in real time.
import { setInterval } from 'node:timers';

import type { INodeParameters } from 'n8n-workflow';

import { accelerateClock, releaseClock } from '../support/clock.mts';
import { type NodeRunOptions, runOn, serverOfTest } from '../support/fixtures.mts';

/** A request's own timeout starts again with every byte: it ends none of these. */
const idleTimeout = Object.getOwnPropertyDescriptor(ClientRequest.prototype, 'setTimeout') ?? {};

function accelerate(factor: number) {
	accelerateClock(factor);
	Object.defineProperty(ClientRequest.prototype, 'setTimeout', idleTimeout);
}

/** Of each slow exchange of a test: resolves once the client has given it up. */
let givenUp: Promise<unknown>[] = [];

beforeEach(() => {
	accelerate(600);
	givenUp = [];
});
afterAll(releaseClock);

/** Does something now and again, until the client gives up. */
function slowly(stream: Socket | ServerResponse | IncomingMessage, act: () => void) {
	const timer = setInterval(act, 5);
	stream.on('error', () => undefined);
	givenUp.push(
		new Promise((resolve) => stream.on('close', resolve)).finally(() => {
			clearInterval(timer);
		}),
	);
}

const slowBody: RequestListener = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' }).write('{');
	slowly(response, () => response.write(' '));
};

async function serviceThat(answers: RequestListener): Promise<NodeRunOptions['sandbox']> {
	return {
		baseUrl: `${await serverOfTest(answers)}/api/v1`,
		apiKey: 'sk-svc-api1-1',
		webhookSecret: 'secret',
	};
}

test.for<[string, INodeParameters, boolean]>([
	['user.get', {}, true],
	['task.create', { title: 'Review' }, false],
])(
	'%s: a response that arrives byte by byte forever ends in an error that says so',
	async ([operation, parameters, isAskedForAgain]) => {
		const { error } = await runOn(await serviceThat(slowBody))(operation, parameters);
		expect(error?.message).toBe('The service did not respond in time (ETIMEDOUT) [item 0]');
		expect(givenUp.length > 1).toBe(isAskedForAgain);
		await Promise.all(givenUp);
	},
);

test('a file that arrives byte by byte forever is requested once more, and then fails with an error that says so', async () => {
	accelerate(3_000);
	const service = await serviceThat(slowBody);
	const { error } = await runOn(service)('file.download', {
		url: `${new URL(service.baseUrl).origin}/storage/f1`,
	});
	expect(error?.message).toBe(
		'The file was not downloaded: the connection was interrupted (ETIMEDOUT) [item 0]',
	);
	expect(await Promise.all(givenUp)).toHaveLength(2);
});
