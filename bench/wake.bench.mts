import { setTimeout as sleep } from 'node:timers/promises';

import { legalAi, node } from '../harness/workflows.mts';
import { until } from '../harness/polling.mts';
import { httpRequest, posted, waitFor } from './support/handBuilt.mts';
import { processorTime } from './support/process.mts';
import { OURS, resultsOf, settings } from './support/results.mts';
import { isQuick } from './support/rounds.mts';
import { openSessions } from './support/sessions.mts';
import { type Account, type Published, Stage } from './support/stage.mts';

const HAND_BUILT = 'Wait node, HTTP Request';
const EXECUTIONS = isQuick ? 10 : 500;
/** Below what the limit of requests leaves to one key: more executions are spread over several. */
const PER_ACCOUNT = 100;
/** Long enough to park all of them before the first wakes. */
const PARKED_SECONDS = 120;
const AT_ONCE = 4;
const CALM_MS = 10_000;

const results = resultsOf('wake', 'Waking without a callback');

const done = node('Done', 'n8n-nodes-base.noOp', {});

const contenders: Readonly<Record<string, (stage: Stage, account: Account) => Promise<Published>>> =
	{
		[OURS]: async (stage, { credential }) => {
			const additionalFields = { sessionId: '={{ $json.body.session }}' };
			const options = { maxWait: PARKED_SECONDS / 60 };
			const ask = {
				resource: 'question',
				operation: 'askAndWait',
				question: 'May we sign?',
				additionalFields,
				options,
			};
			return await stage.publish('Legal AI', [legalAi('Ask', credential, ask), done], {
				responseMode: 'onReceived',
			});
		},
		[HAND_BUILT]: async (stage, account) => {
			const ask = posted(
				'={{ JSON.stringify({ question: "May we sign?", session_id: $json.body.session }) }}',
			);
			const nodes = [
				httpRequest('Ask', account, '/assistants/default/questions', ask),
				waitFor(PARKED_SECONDS),
				httpRequest('Check', account, '=/assistants/default/questions/{{ $json.id }}'),
				done,
			];
			return await stage.publish('Hand-built', nodes, { responseMode: 'onReceived' });
		},
	};

/** n8n's processor time a wake, in ms; what an idle n8n uses meanwhile is in it. */
async function wakeCost(
	environment: Record<string, string>,
	publish: (typeof contenders)[string],
): Promise<number> {
	const stage = await Stage.open(environment);
	onTestFinished(() => stage.close());
	const parked = await Promise.all(
		Array.from({ length: Math.ceil(EXECUTIONS / PER_ACCOUNT) }, async () => {
			const account = await stage.account();
			const sessions = await openSessions(account.sandbox, Math.min(PER_ACCOUNT, EXECUTIONS));
			account.sandbox.settings.answer = () => ({
				status: 'completed',
				answer: 'You may sign it.',
				after: 20_000,
			});
			account.sandbox.callbackFaults.drop = true;
			return { account, sessions, workflow: await publish(stage, account) };
		}),
	);
	const starts = parked
		.flatMap(({ workflow, sessions }) =>
			sessions.map((session) => async () => {
				await workflow.start({ session });
			}),
		)
		.values();
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (const start of starts) await start();
		}),
	);
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['waiting']);
	await sleep(CALM_MS);
	const checks = (): number =>
		parked
			.flatMap(({ account }) => account.sandbox.requests)
			.filter(({ method }) => method === 'GET').length;
	if (checks() > 0) throw new Error('The first executions woke before the last were parked');

	const before = await processorTime(stage.n8n.main.pid);
	// Asking n8n would cost it time: the service knows when all have woken.
	await until(
		'every execution to wake',
		() => Promise.resolve(checks() >= EXECUTIONS ? true : undefined),
		{ timeout: 600_000, interval: 500 },
	);
	await sleep(CALM_MS);
	const used = (await processorTime(stage.n8n.main.pid)) - before;
	for (const { workflow, sessions } of parked) await workflow.reached(sessions.length, ['success']);
	return used / EXECUTIONS;
}

test.each(Object.entries(settings))('%s', async (setting, environment) => {
	const isLazy = Object.keys(environment).length > 0;
	const costs = await Promise.all(
		Object.entries(contenders).map(
			async ([name, publish]) => [name, [await wakeCost(environment, publish)]] as const,
		),
	);
	results.figure({
		what: `one of ${EXECUTIONS.toLocaleString('en-US')} waiting executions checks for its answer, ${setting}: processor time`,
		unit: 'ms',
		contenders: Object.fromEntries(costs),
		targets: [{ atMost: isLazy ? 25 : 45 }],
		...(isLazy && {
			meaning:
				'If callbacks get lost, checking for the answers costs less than with n8n’s own nodes.',
			note: 'A wake asks the service once, and ends the execution with the answer. Both were measured at the same time, each in an n8n of its own.',
		}),
	});
});
