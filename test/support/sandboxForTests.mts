import type { SandboxOptions } from '../sandbox/options.mts';
import { startSandbox } from '../sandbox/sandbox.mts';

/** A sandbox for the tests of one file, reset before each and closed after all of them. */
export async function sandboxForTests(options: SandboxOptions) {
	const sandbox = await startSandbox(options);
	beforeEach(() => sandbox.reset());
	afterAll(() => sandbox.close());
	return sandbox;
}
