import { createServer, type RequestListener } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import { accelerateClock, releaseClock } from './clock.mts';
import { runNode, type NodeRun, type NodeRunOptions } from './engine/engine.mts';
import { listenLocally } from '../../harness/localServer.mts';

export * from './engine/engine.mts';
export * from './engine/files.mts';
export * from './matchers.mts';
export { ASK, CHECK, questions } from './wait/waits.mts';
export type { Sandbox };

/** What a test that talks to the service is given. */
interface SandboxFixtures {
	/** One for all tests of a file. */
	service: Sandbox;
	/** The service of the file, as new in each test that asks for it. */
	sandbox: Sandbox;
	/** Runs the node against it: `run('question.ask', { question: 'May we sign?' })`. */
	run: Run;
}

/** Runs `<resource>.<operation>` with these parameters, on one empty item unless told otherwise. */
export type Run = (
	operation: string,
	parameters?: INodeParameters,
	options?: Partial<NodeRunOptions>,
) => Promise<NodeRun>;

/**
 * The `test` of a file whose tests talk to the service. Its limits are off unless they are set.
 *
 * @param timesFaster how fast the clock of this process runs meanwhile
 */
export function sandboxTest(options: SandboxOptions = {}, timesFaster?: number) {
	return test.extend<SandboxFixtures>({
		service: [
			async ({}, use) => {
				if (timesFaster !== undefined) accelerateClock(timesFaster);
				const service = await startSandbox({
					newSessionsPerMinute: Infinity,
					requestsPerMinute: Infinity,
					...options,
				});
				await use(service);
				await service.close();
				if (timesFaster !== undefined) releaseClock();
			},
			{ scope: 'file' },
		],
		sandbox: async ({ service }, use) => {
			await service.reset();
			await use(service);
		},
		run: async ({ sandbox }, use) => {
			await use(runOn(sandbox));
		},
	});
}

/** Runs the node against a service. */
export function runOn(sandbox: NodeRunOptions['sandbox']): Run {
	return async (operation, parameters, options) => {
		const [resource = '', name = ''] = operation.split('.');
		return await runNode({
			sandbox,
			parameters: { resource, operation: name, ...parameters },
			...options,
		});
	};
}

/** An HTTP server that is gone after the test; gives its origin. */
export async function serverOfTest(listener: RequestListener) {
	const server = createServer(listener);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${await listenLocally(server)}`;
}
