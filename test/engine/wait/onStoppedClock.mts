import { afterAll, afterEach, beforeEach } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Instance } from '../../support/engine/engine.mts';
import { install, uninstall } from '../stoppedClock.mts';

/**
 * Has the tests of a file run on a clock that stands still, beside a service that answers when a test says so.
 *
 * @param use is given each test's own n8n
 */
export async function onStoppedClock(use: (n8n: Instance) => void): Promise<Sandbox> {
	const sandbox = await startSandbox({ answerTime: [Infinity, Infinity], newSessionsPerMinute: Infinity, requestsPerMinute: Infinity });
	let n8n: Instance;
	beforeEach(async () => {
		install();
		await sandbox.reset();
		n8n = await Instance.start();
		use(n8n);
	});
	afterEach(async () => {
		await n8n.close();
		uninstall();
	});
	afterAll(() => sandbox.close());
	return sandbox;
}
