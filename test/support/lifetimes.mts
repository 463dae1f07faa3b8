import { createServer, type RequestListener } from 'node:http';

import { afterAll, beforeEach, onTestFinished } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { install, uninstall } from './engine/acceleratedClock.mts';
import { listenLocally } from '../../harness/localServer.mts';

/**
 * The service that the tests of a file talk to: as new before each of them, gone after the last.
 *
 * @param timesFaster how fast the clock of this process runs meanwhile
 */
export async function sandboxOfFile(options?: Parameters<typeof startSandbox>[0], timesFaster?: number): Promise<Sandbox> {
	if (timesFaster !== undefined) install(timesFaster);
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.close();
		if (timesFaster !== undefined) uninstall();
	});
	return sandbox;
}

/** An HTTP server that is gone after the test; gives its origin. */
export async function serverOfTest(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${await listenLocally(server)}`;
}
