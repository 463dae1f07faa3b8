import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { listenLocally } from '../../harness/localServer.mts';
import { askForId, sandboxForTests } from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests();

let [received, status] = [0, 200];
const server = createServer((_request, response) => {
	received += 1;
	response.writeHead(status, { location: receiver }).end();
});
const silent = createServer();
const [receiver, silence] = [
	`http://127.0.0.1:${await listenLocally(server)}`,
	`http://127.0.0.1:${await listenLocally(silent)}`,
];
afterAll(() => {
	for (const each of [server, silent]) each.close();
});

const ask = (callback_url: string): Promise<string> =>
	askForId(sandbox, { question: 'May we sign?', callback_url });

test("the sandbox sends a callback only once, even if the receiver rejects it or can't be reached, and follows no redirect", async () => {
	for (const [answer, url] of [
		[307, receiver],
		[500, receiver],
		[0, 'http://127.0.0.1:1/'],
	] as const) {
		status = answer;
		await sandbox.complete(await ask(url));
	}
	expect(sandbox.callbacks.map((each) => each.status)).toEqual([307, 500, null]);
	expect(received).toBe(2);
});

test('a reset of the sandbox cancels a callback that is being sent', async () => {
	const tried = sandbox.complete(await ask(silence));
	await once(silent, 'request');
	await sandbox.reset();
	await tried;
	expect(sandbox.callbacks).toEqual([]);
});
