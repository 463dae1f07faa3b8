import { afterAll, beforeEach } from 'vitest';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { accelerateClock, releaseClock } from './clock.mts';

export { serverOfTest } from './fixtures.mts';

/**
 * The service that the tests of a file talk to: as new before each of them, gone after the last.
 *
 * @param timesFaster how fast the clock of this process runs meanwhile
 */
export async function sandboxOfFile(options?: Parameters<typeof startSandbox>[0], timesFaster?: number): Promise<Sandbox> {
	if (timesFaster !== undefined) accelerateClock(timesFaster);
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(async () => {
		await sandbox.close();
		if (timesFaster !== undefined) releaseClock();
	});
	return sandbox;
}
