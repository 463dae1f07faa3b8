import { finalStatuses, type Execution } from '../../../harness/executions.mts';
import type { N8n } from '../../../harness/n8n.mts';
import { until } from '../../../harness/polling.mts';
import { chain, legalAi, node, questions, webhook } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { scenarios } from '../../scenarios/scenarios.mts';
import { AFTER, answersWhenTold, asking } from '../../scenarios/stage.mts';
import { testWithOwnN8n as test } from '../../support/n8n/fixtures.mts';
import { start } from '../../support/n8n/parkedQuestions.mts';
import { wakeNow } from '../../support/n8n/storedExecutions.mts';
import { simpleRecovery, fastTracker } from '../../support/n8n/wakeSettings.mts';

test.override({
	n8nSettings: {
		...fastTracker,
		...simpleRecovery,
		N8N_CONCURRENCY_PRODUCTION_LIMIT: '1',
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_SCOPES: 'waiting-executions',
	},
	serviceOptions: { answer: answersWhenTold },
});

/** What the scenarios run in. */
interface Parts {
	n8n: N8n;
	service: Sandbox;
}

const HELD_MS = 3_600_000;

/** Lets an execution take n8n's only slot, with a request that the service answers once so much time is over. */
async function occupy({ n8n, service }: Parts) {
	service.faults.add({ kind: 'latency', ms: HELD_MS, match: 'GET /me' });
	const parameters = { url: `${service.baseUrl}/me` };
	const hold = node('Hold', 'n8n-nodes-base.httpRequest', parameters, {
		typeVersion: 4.2,
		onError: 'continueRegularOutput',
	});
	await n8n.publish(chain('busy', [webhook('busy'), hold]));
	await n8n.callWebhook('busy');
	await service.waitForRequest(({ route }) => route === 'GET /me');
}

/**
 * How long the next ending may take, in ms. n8n has set its timer for what wakes within 70 s, so that moving the stored time has no
 * effect: a retried wait checks again after 65 to 75 s.
 */
const LONGEST_WAKE_MS = 90_000;

/** The next ending of an execution, over or parked again. */
async function next(parts: Parts, { id, stoppedAt }: Execution) {
	const look = async () => {
		const execution = await parts.n8n.execution(id);
		const isParkedAgain = execution.status === 'waiting' && execution.stoppedAt !== stoppedAt;
		return isParkedAgain || finalStatuses.includes(execution.status) ? execution : undefined;
	};
	const ending = await until(`execution ${id} to end or park again`, look, {
		timeout: LONGEST_WAKE_MS,
	});
	return readRun(parts, ending);
}

function readRun(parts: Parts, execution: Execution) {
	const { n8n, service } = parts;
	const { id, status, failure, runs, workflowId } = execution;
	return {
		status,
		error: failure?.message,
		outputs: (runs[AFTER] ?? []).map(({ outputs: [items = []] }) => items.map(({ json }) => json)),
		pairs: (runs.Ask?.at(-1)?.outputs[0] ?? []).map(({ pairedItem }) => pairedItem),
		wake: async () => {
			wakeNow(n8n, id);
			return await next(parts, execution);
		},
		resumed: async () => await next(parts, execution),
		wakeTwice: async () => {
			await occupy(parts);
			wakeNow(n8n, id);
			const wakes = new RegExp(`Resuming execution ${id} `, 'g');
			await until(
				'n8n to wake it twice',
				() => (n8n.main.log.match(wakes)?.length ?? 0) > 1 || undefined,
			);
			service.advance(HELD_MS);
			await service.waitForQuestion(({ text }) => text.startsWith('Two'));
			// What comes last has its turn after all that was queued before.
			await start(n8n, 'last', []);
			const parked = await n8n.execution(id);
			await n8n.stop(parked);
			return readRun(parts, parked);
		},
		stop: async () => {
			await n8n.stop(execution);
			return readRun(parts, await n8n.execution(id));
		},
		killInCheck: async () => {
			const hanging = service.faults.add({
				kind: 'hang',
				times: Infinity,
				match: ({ method }) => method === 'GET',
			});
			wakeNow(n8n, id);
			await service.waitForRequest(({ method }) => method === 'GET');
			// By the signal of a deployment; queue.test.mts is about a crash.
			await n8n.main.stop('SIGTERM');
			await n8n.restart();
			hanging.remove();
			return await next(parts, execution);
		},
		killParked: () => n8n.restart(),
		retry: async () => {
			const known = await n8n.executions(workflowId);
			await n8n.retry(execution);
			return readRun(
				parts,
				await n8n.waitForNextExecution(workflowId, known, ['waiting', ...finalStatuses]),
			);
		},
	};
}

test.for(Object.entries(scenarios))(
	'%s',
	async ([scenarioName, scenario], { n8n, service, credential }) => {
		await scenario({
			service,
			start: async ({ items = 1, names = ['Ask'], parameters, settings } = {}) => {
				const path = [scenarioName, ...names].join('-').replaceAll(/\W+/g, '-');
				const nodes = names.map((name) =>
					legalAi(name, credential, asking(name, parameters), settings),
				);
				const last = node(AFTER, 'n8n-nodes-base.noOp', {});
				return readRun(
					{ n8n, service },
					await start(n8n, path, [questions(items), ...nodes, last]),
				);
			},
		});
	},
);
