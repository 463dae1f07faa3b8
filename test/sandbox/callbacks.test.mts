import { createServer } from 'node:http';

import { listenLocally } from '../../harness/localServer.mts';
import { askForId, sandboxForTests } from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests();

let [received, status] = [0, 200];
const server = createServer((_request, response) => {
	received += 1;
	response.writeHead(status, { location: receiver }).end();
});
const receiver = `http://127.0.0.1:${await listenLocally(server)}`;
afterAll(() => server.close());

const ask = (callback_url: string) => askForId(sandbox, { question: 'May we sign?', callback_url });

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
