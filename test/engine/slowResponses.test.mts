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
import {
	binaryItem,
	listSearch,
	type NodeRunOptions,
	runOn,
	serverOfTest,
	useBinaryData,
} from '../support/fixtures.mts';

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

const slowHead: RequestListener = ({ socket }) => {
	socket.write('HTTP/1.1 200 OK\r\nx-slow:');
	slowly(socket, () => socket.write(' '));
};

const slowBody: RequestListener = (_request, response) => {
	response.writeHead(200, { 'content-type': 'application/json' }).write('{');
	slowly(response, () => response.write(' '));
};

/** A service that answers POST with this JSON at once, and anything else slowly. */
const quickToPost =
	(json: (host: string) => object, slow: RequestListener): RequestListener =>
	(request, response) => {
		if (request.method !== 'POST') slow(request, response);
		else
			response
				.setHeader('content-type', 'application/json')
				.end(JSON.stringify(json(request.headers.host ?? '')));
	};

async function serviceThat(answers: RequestListener): Promise<NodeRunOptions['sandbox']> {
	return {
		baseUrl: `${await serverOfTest(answers)}/api/v1`,
		apiKey: 'sk-svc-api1-1',
		webhookSecret: 'secret',
	};
}

test.for<[string, RequestListener, string, INodeParameters, boolean]>([
	['a response', slowBody, 'user.get', {}, true],
	['the head of a response', slowHead, 'user.get', {}, true],
	['a response to the creation of a task', slowBody, 'task.create', { title: 'Review' }, false],
])(
	'%s that arrives byte by byte forever ends in an error that says so',
	async ([, answers, operation, parameters, isAskedForAgain]) => {
		const { error } = await runOn(await serviceThat(answers))(operation, parameters);
		expect(error?.message).toBe('The service did not respond in time [item 0]');
		expect(givenUp.length > 1).toBe(isAskedForAgain);
		await Promise.all(givenUp);
	},
);

test('a list in the editor shows an error if its response arrives byte by byte forever', async () => {
	const listed = listSearch('searchTasks', { sandbox: await serviceThat(slowBody) });
	await expect(listed).rejects.toMatchObject({ message: 'The service did not respond in time' });
	await Promise.all(givenUp);
});

test.for<[string, INodeParameters]>([
	['question.askAndWait', { question: 'Sign?', options: { waitUsing: 'polling', maxWait: 3 } }],
	['question.waitForAnswer', { questionId: 'q1', options: { maxWait: 3 } }],
])(
	'%s: a question comes out unanswered after Max Wait if the responses to its checks arrive byte by byte',
	async ([operation, parameters]) => {
		const service = await serviceThat(
			quickToPost(() => ({ id: 'q1', session_id: 's1', status: 'in_progress' }), slowBody),
		);
		let run = await runOn(service)(operation, parameters);
		while (run.waitTill !== undefined) run = await run.wake();
		expect(run.json).toMatchObject([{ id: 'q1', status: 'in_progress', timed_out: true }]);
		await Promise.all(givenUp);
	},
);

test('a file that arrives byte by byte forever is requested once more, and then fails with an error that says so', async () => {
	accelerate(3_000);
	const service = await serviceThat(slowBody);
	const { error } = await runOn(service)('file.download', {
		url: `${new URL(service.baseUrl).origin}/storage/f1`,
	});
	expect(error?.message).toContain('The file was not downloaded');
	expect(await Promise.all(givenUp)).toHaveLength(2);
});

test('a file that the storage reads byte by byte is sent once more, and then fails with an error that says so', async () => {
	accelerate(3_000);
	await useBinaryData('filesystem');
	const items = [await binaryItem(Buffer.alloc(20 * 1024 * 1024))];
	const sent: IncomingMessage[] = [];
	const service = await serviceThat(
		quickToPost(
			(host) => ({ job_id: 'j1', upload_url: `http://${host}/storage/j1` }),
			(request) => {
				sent.push(request);
				slowly(request, () => void request.read(1));
			},
		),
	);
	const { error } = await runOn(service)('file.upload', {}, { items });
	await useBinaryData('default');
	expect(error?.message).toContain('"contract.pdf" was not uploaded');
	for (const request of sent) request.resume();
	await Promise.all(givenUp);
	expect(sent.map(({ complete }) => complete)).toEqual([false, false]);
});
