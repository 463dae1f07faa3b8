import { createServer, type RequestListener } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';
import { test as base } from 'vitest';

import { startSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.mts';
import {
	accelerateClock,
	releaseClock,
	stopClock,
	stoppedClock,
	type StoppedClock,
	watchRequests,
} from './clock.mts';
import { runNode, type NodeRun, type NodeRunOptions } from './engine/engine.mts';
import { freshNodes } from './engine/freshNodes.mts';
import { Instance } from './engine/instance.mts';
import { publishTrigger, type PublishedTrigger } from './engine/publishedTrigger.mts';
import { breakProcessedData } from './engine/processedData.mts';
import { listenLocally } from '../../harness/localServer.mts';
import { Killed } from './wait/killed.mts';
import { Wait } from './wait/wait.mts';

export * from './engine/engine.mts';
export * from './engine/files.mts';
export * from './matchers.mts';
export {
	readAnswers,
	answersTo,
	ASK,
	asking,
	CHECK,
	continuing,
	operations,
	questions,
} from './wait/asking.mts';
export type { Killed, Sandbox, Wait };

/** The parts that a test may ask for. Each is made if a test asks for it, or for one that needs it, and is gone after that test. */
interface Stage {
	/** The service, as new. Unless it is told otherwise, it has no limits, and answers when a test says so. */
	service: Sandbox;
	/** Runs the node in `n8n`, against `service`: `run('question.ask', { question: 'May we sign?' })`. */
	run: Run;
	/** Publishes a workflow with a Legal AI Trigger in `n8n`: `listen({ parameters: { events: ['error'] } })`. */
	listen: (options?: Partial<Parameters<typeof publishTrigger>[0]>) => Promise<PublishedTrigger>;
	/** An n8n of the test's own. */
	n8n: Instance;
	/** Time stands still, and moves when it is told to. */
	clock: StoppedClock;
	/** The acts of tests of a wait, with `service` and `n8n` on the stopped `clock`. */
	wait: Wait;
	/** The acts of tests of kills. */
	killed: Killed;
}

/** A file sets these for all of its tests, with `test.override({ … })`. */
interface Options {
	/** How the service differs from the usual. */
	serviceOptions: SandboxOptions;
	/** How fast time runs. Default: 1. */
	timesFaster: number;
}

/** The parts need these, each of them one for all tests of a file. */
interface PartsOfFile {
	fasterClock: undefined;
	watchedClock: StoppedClock;
	startedService: Sandbox;
}

/** Runs `<resource>.<operation>` with these parameters, on one empty item unless told otherwise. */
export type Run = (
	operation: string,
	parameters?: INodeParameters,
	options?: Partial<NodeRunOptions>,
) => Promise<NodeRun>;

/** The `test` of all files that run the nodes in n8n's engine. */
export const test = base.extend<Stage & Options & PartsOfFile>({
	serviceOptions: [{}, { scope: 'file' }],
	timesFaster: [1, { scope: 'file' }],
	fasterClock: [
		async ({ timesFaster }, use) => {
			if (timesFaster !== 1) accelerateClock(timesFaster);
			await use(undefined);
			if (timesFaster !== 1) releaseClock();
		},
		{ scope: 'file', auto: true },
	],
	watchedClock: [
		async ({}, use) => {
			const stopWatching = watchRequests();
			await use(stoppedClock);
			stopWatching();
		},
		{ scope: 'file' },
	],
	startedService: [
		async ({ serviceOptions }, use) => {
			const service = await startSandbox({
				answerTime: [Infinity, Infinity],
				newSessionsPerMinute: Infinity,
				requestsPerMinute: Infinity,
				...serviceOptions,
			});
			await use(service);
			await service.close();
		},
		{ scope: 'file' },
	],
	clock: async ({ watchedClock }, use) => {
		stopClock();
		await use(watchedClock);
		releaseClock();
	},
	service: async ({ startedService }, use) => {
		await startedService.reset();
		await use(startedService);
	},
	n8n: async ({}, use) => {
		const n8n = await Instance.start();
		await use(n8n);
		breakProcessedData(false);
		await n8n.close();
	},
	run: async ({ service, n8n }, use) => {
		await use((operation, parameters, options) =>
			runOn(service)(operation, parameters, { n8n, ...options }),
		);
	},
	listen: async ({ service, n8n }, use) => {
		await use((options) => publishTrigger({ service, n8n, ...options }));
	},
	wait: async ({ clock, service, n8n }, use) => {
		await use(new Wait({ clock, service, n8n }));
	},
	killed: async ({ wait }, use) => {
		await use(new Killed(wait, await freshNodes()));
	},
});

/** Runs the node against a service. */
export function runOn(service: NodeRunOptions['service']): Run {
	return async (operation, parameters, options) => {
		const [resource = '', name = ''] = operation.split('.');
		return await runNode({
			service,
			parameters: { resource, operation: name, ...parameters },
			...options,
		});
	};
}

/** An HTTP server that is gone after the test; gives its origin. */
export async function startServer(listener: RequestListener) {
	const server = createServer(listener);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${await listenLocally(server)}`;
}
