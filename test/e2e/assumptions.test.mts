import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { WorkflowExecute } from 'n8n-core';
import type {
	IExecuteData,
	IExecuteFunctions,
	INode,
	INodeParameters,
	IRunExecutionData,
} from 'n8n-workflow';

import { hints } from '../../nodes/LegalAi/messages/hints.ts';
import { freshNodes } from '../support/engine/freshNodes.mts';
import { pass, releaseClock, settle, stopClock } from '../support/clock.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { readData } from '../support/engine/database.mts';
import {
	AFTER,
	Instance,
	LEGAL_AI,
	NODE,
	runNode,
	type NodeRun,
	type NodeRunOptions,
} from '../support/engine/engine.mts';
import { asToolOf, seenAs } from '../support/engine/seenAs.mts';
import type { Execution } from '../../harness/executions.mts';
import { projectFolder } from '../../harness/installedPackage.mts';
import { n8nVersion, requireAsN8n } from '../../harness/versions.mts';
import { chain, node, webhook } from '../../harness/workflows.mts';
import { asList, asRecord, asText, isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { agentWorkflow } from '../support/n8n/agents.mts';
import { startLanguageModel } from '../support/n8n/languageModel.mts';
import { begin } from '../support/n8n/parkedQuestions.mts';
import { sharedN8n } from '../support/n8n/service.mts';

/**
 * Everything of n8n that the nodes lean on and that n8n does not promise. For a new n8n, read this file from the top: a
 * test "still so" that fails names what that n8n has changed and the code that rests on it; the tests "without it" show
 * what users get until that code is changed.
 *
 * A real n8n is asked by a node that does what the Legal AI node does (`probe/`). What is switched off is switched off
 * in the engine of this process.
 */

const n8n = sharedN8n();
const model = await startLanguageModel();
/** An execution that was called back, one that was woken, and a tool call of an agent that was woken. */
let calledBack: Parked;
let woken: Parked;
let tool: Parked;

beforeAll(async () => {
	[calledBack, woken, tool] = await Promise.all([park(), park({ seconds: 1 }), parkTool()]);
});
afterAll(() => model.close());

test('the n8n that runs is the one that test/n8n/current/package.json names', async () => {
	expect(await n8n.session.get('/settings')).toMatchObject({ versionCli: n8nVersion });
});

test.each(['n8n-core', 'n8n-workflow'])(
	'the engine in this process has the %s of that n8n',
	(name) => {
		const [ofEngine, ofN8n] = [createRequire(import.meta.url), requireAsN8n].map(
			(load) => (load(`${name}/package.json`) as { version: string }).version,
		);
		expect(ofEngine).toBe(ofN8n);
	},
);

/** One assumption: what is leaned on, by which code, and what becomes of a wait without it. */
function leansOn(
	assumption: string,
	{
		code,
		holds,
		without = {},
		otherwise = '',
	}: {
		code: string;
		holds: () => Promise<boolean> | boolean;
		without?: Readonly<Record<string, () => Promise<void>>>;
		/** What users would get, if there is no other way. */
		otherwise?: string;
	},
) {
	describe(`assumption: ${assumption}`, () => {
		test('is still so', async () => {
			const file = join(projectFolder, 'nodes/LegalAi', code);
			expect(existsSync(file), `${code} is gone`).toBe(true);
			expect(
				await holds(),
				`This n8n has changed what nodes/LegalAi/${code} rests on: ${assumption}. ${otherwise}`,
			).toBe(true);
		});

		for (const [outcome, proof] of Object.entries(without)) test(`without it, ${outcome}`, proof);
	});
}

/** An execution of the probe in the real n8n. */
interface Parked {
	resumeUrl: string;
	/** As it was stored while it was parked. */
	stored: JsonRecord;
	/** What a callback is answered. */
	callBack: (url?: string) => Promise<{ status: number; body: unknown }>;
	/** What the probe has seen, once it is over. */
	seen: () => Promise<JsonRecord>;
	over: () => Promise<Execution>;
}

async function park(parameters: INodeParameters = {}) {
	return parkedOf(await run(parameters));
}

/** Starts a workflow with the probe in it, and waits until it is parked or over. */
async function run(parameters: INodeParameters, more: Partial<INode> = {}) {
	const path = randomUUID();
	const probe = node('Probe', 'CUSTOM.probe', parameters, {
		id: 'probe',
		typeVersion: 1.1,
		webhookId: path,
		...more,
	});
	const nodes = [webhook(path), probe, node('After', 'n8n-nodes-base.noOp', {})];
	return await begin(n8n, path, chain('Probes', nodes, { executionTimeout: 3600 }));
}

/** The probe as a tool that an agent's model calls. */
async function parkTool() {
	model.reply = ({ tools, toolResults }) =>
		toolResults.length > 0
			? 'Done'
			: { tool: asText(tools[0]?.name, 'The tool'), arguments: { Words: 'Hear, hear' } };
	const path = randomUUID();
	const words = "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('Words', ``, 'string') }}";
	const probe = node(
		'Probe',
		'CUSTOM.probeTool',
		{ seconds: 1, words },
		{ id: 'probe', typeVersion: 1.1, webhookId: path },
	);
	return parkedOf(await begin(n8n, path, await agentWorkflow(n8n, model, webhook(path), probe)));
}

function parkedOf({ id, stored }: Execution) {
	const resumeUrl = asText(noteOf(stored).resumeUrl, 'The address to resume at');
	const over = async () => await n8n.waitForExecution(id);
	return {
		resumeUrl,
		stored,
		over,
		callBack: async (url = resumeUrl) => {
			const response = await fetch(url.replace(/(\?|$)/, '/legal-ai$1'), {
				method: 'POST',
				body: Buffer.from('{}'),
			});
			return { status: response.status, body: (await response.json()) as unknown };
		},
		seen: async () => readSeen(await over()),
	};
}

/** The entries that n8n has still to run. */
function stackOf(stored: JsonRecord) {
	const stack = asList(
		asRecord(stored.executionData, 'What is left to run').nodeExecutionStack,
		'The stack',
	);
	return stack.map((entry) => asRecord(entry, 'An entry of the stack'));
}

/** What the probe has seen before it parked. */
function noteOf(stored: JsonRecord) {
	const notes = stackOf(stored).flatMap(({ data }) =>
		isRecord(data) && data.probe !== undefined ? [data.probe] : [],
	);
	const [note] = asList(asList(notes[0], 'The input of the note')[0], 'Its items');
	return asRecord(
		asRecord(asRecord(note, 'The note').json, 'Its JSON').seen,
		'What the probe has seen',
	);
}

function isEmpty(entry: JsonRecord | undefined) {
	return isRecord(entry?.data) && JSON.stringify(entry.data.main) === '[]';
}

let answered: Promise<{ body: unknown }> | undefined;

/** What the probe has said to the callback that resumed it. */
async function answerOfCallback() {
	answered ??= calledBack.callBack();
	return asRecord((await answered).body, 'What a callback is answered');
}

function readSeen(execution: Execution) {
	return asRecord(execution.runs.Probe?.at(-1)?.outputs[0]?.[0]?.json, 'What the probe has seen');
}

let retry: Promise<JsonRecord> | undefined;

/** What the probe sees in the retry of an execution that has failed. */
async function retried() {
	return await (retry ??= failAndRetry());
}

async function failAndRetry() {
	const failed = await (await park({ fails: 'woken', seconds: 1 })).over();
	const known = await n8n.executions(failed.workflowId);
	await n8n.retry(failed);
	return readSeen(await n8n.waitForNextExecution(failed.workflowId, known));
}

/** The Legal AI node in the engine of this process, on a clock that moves when told. */
interface Engine {
	n8n: Instance;
	service: Sandbox;
	/** Asks two questions, which are answered 40 and 41 seconds later. */
	ask: (changes?: Parameters<typeof seenAs>[1], more?: Partial<NodeRunOptions>) => Promise<NodeRun>;
}

async function onEngine(
	act: (engine: Engine) => Promise<void>,
	options: { guardsResuming?: boolean } = {},
) {
	stopClock();
	const service = await startSandbox({
		answer: ({ text }) => ({
			status: 'completed',
			answer: `${text}!`,
			after: text === 'May we sign' ? 40_000 : 41_000,
		}),
	});
	const engine = await Instance.start(options);
	const items = ['May we sign', 'Who pays'].map((words) => ({ json: { words } }));
	const parameters = {
		resource: 'question',
		operation: 'askAndWait',
		question: '={{ $json.words }}',
	};
	const ask: Engine['ask'] = async (changes = {}, more = {}) => {
		const nodeTypes = await freshNodes();
		const legalAi = nodeTypes[LEGAL_AI];
		if (legalAi === undefined) throw new Error('The node is missing');
		const options = {
			sandbox: service,
			n8n: engine,
			parameters,
			items,
			nodeTypes: { ...nodeTypes, [LEGAL_AI]: seenAs(legalAi, changes) },
		};
		return await settle(runNode({ ...options, ...more }));
	};
	try {
		await act({ n8n: engine, service, ask });
	} finally {
		await engine.close();
		await service.close();
		releaseClock();
	}
}

/** Both answers came out, once, and each question was asked once. */
function expectAnswers({ status, json, runData }: NodeRun, { requests }: Sandbox) {
	expect(status).toBe('success');
	expect(json.map(({ answer }) => answer)).toEqual(['May we sign!', 'Who pays!']);
	expect(runData[AFTER]).toHaveLength(1);
	expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
}

/** The node checks for the answers in the process if n8n shows it this. */
const looksInProcess =
	(execute: (context: IExecuteFunctions) => Record<string, unknown>) => async () => {
		await onEngine(async ({ ask, service }) => {
			const run = await ask({ execute });
			expectAnswers(run, service);
			expect(run.hints).toEqual([hints.checkedHere]);
		});
	};

/** The answers come out with the next look if this has become of what was stored while the execution was parked. */
const comeOutOf = (change: (stored: IRunExecutionData) => void) => async () => {
	await onEngine(async ({ n8n: engine, ask, service }) => {
		service.callbackFaults.drop = true;
		const parked = await ask();
		const data = readData(engine.database.get(parked.id));
		change(data);
		engine.database.update(parked.id, { data });
		await pass(330_000);
		expectAnswers(await settle(parked.wake()), service);
	});
};

/** The callbacks are answered so, and the answers come out by way of what resumes the execution. */
const comeOutAlthough =
	(
		changes: Parameters<typeof seenAs>[1],
		{ statuses, by }: { statuses: number[]; by: ('callback' | 'look')[] },
	) =>
	async () => {
		await onEngine(async ({ ask, service }) => {
			let run = await ask(changes);
			await pass(330_000);
			expect(service.callbacks.map(({ status }) => status)).toEqual(statuses);
			for (const way of by) run = await settle(way === 'callback' ? run.resumed() : run.wake());
			expectAnswers(run, service);
		});
	};

const runOf = (context: object) => Reflect.get(context, 'runExecutionData') as IRunExecutionData;

/** What a node sees if the stack is another one. */
function withStack(context: object, change: (stack: IExecuteData[]) => unknown) {
	const { executionData, ...run } = runOf(context);
	const nodeExecutionStack = change(executionData?.nodeExecutionStack ?? []);
	return { runExecutionData: { ...run, executionData: { ...executionData, nodeExecutionStack } } };
}

const hidden = () => ({ runExecutionData: undefined });

leansOn(
	'runExecutionData.executionData.nodeExecutionStack is the list of what an execution still has to run',
	{
		code: 'execution/executionStack.ts',
		holds: () => noteOf(woken.stored).hasStack === true,
		without: {
			'the node checks for the answers in the process, with a hint that says so':
				looksInProcess(hidden),
			'the node also checks in the process if the list has another shape': looksInProcess(
				(context) => withStack(context, () => new Map()),
			),
			'the node also checks in the process if the list is frozen': looksInProcess((context) =>
				withStack(context, (stack) => Object.freeze([...stack])),
			),
		},
	},
);

leansOn('the entry that is running is not on nodeExecutionStack', {
	code: 'execution/executionStack.ts',
	holds: () => noteOf(woken.stored).isOffTheStack === true,
	without: {
		'the node checks for the answers in the process, with a hint that says so': looksInProcess(
			(context) => withStack(context, (stack) => [context.getExecuteData(), ...stack]),
		),
	},
});

leansOn('runExecutionData and getExecuteData() are what n8n goes on with, and no copies', {
	code: 'execution/executionStack.ts',
	holds: () => noteOf(woken.stored).isSameEntry === true && noteOf(woken.stored).isLive === true,
	without: {
		'the node checks for the answers in the process, with a hint that says so': looksInProcess(
			(context) => ({
				runExecutionData: structuredClone(runOf(context)),
			}),
		),
		'the node also checks in the process if only the entry is a copy': looksInProcess(
			(context) => ({
				getExecuteData: () => structuredClone(context.getExecuteData()),
			}),
		),
	},
});

leansOn(
	'what a node adds to nodeExecutionStack is stored behind its parked entry, in the same order',
	{
		code: 'execution/executionStack.ts',
		holds: () => {
			const [parked, between, copy] = stackOf(woken.stored);
			return isEmpty(parked) && isEmpty(between) && copy !== undefined && !isEmpty(copy);
		},
		otherwise:
			'The input of the node would come out in place of the answers, and nothing makes up for it.',
	},
);

leansOn('the data of an entry is stored, also of inputs that its node does not have', {
	code: 'execution/ledgerStorage.ts',
	holds: async () => (await woken.seen()).hasStack === true,
	otherwise: 'The node would ask again when n8n wakes it, and nothing makes up for it.',
});

leansOn('a parked entry never runs again: what lies behind it does, on its own input', {
	code: 'execution/executionStack.ts',
	holds: async () => {
		const { runs } = await woken.over();
		const [item] = (await woken.seen()).input as JsonRecord[];
		return runs.After?.length === 1 && item !== undefined && 'webhookUrl' in item;
	},
	without: {
		'the parked entry runs on no items, and asks nothing': async () => {
			const original = Reflect.get(WorkflowExecute.prototype, 'runNode');
			const running = vi
				.spyOn(WorkflowExecute.prototype, 'runNode')
				.mockImplementation(async function (this: WorkflowExecute, workflow, entry, ...rest) {
					entry.node.disabled = false;
					return await original.call(this, workflow, entry, ...rest);
				});
			await comeOutOf(() => undefined)();
			expect(running).toHaveBeenCalled();
			running.mockRestore();
		},
	},
});

leansOn('when n8n resumes an execution, it removes the run that it recorded for the wait', {
	code: 'execution/executionStack.ts',
	holds: async () => {
		await answerOfCallback();
		const all = await Promise.all([woken.seen(), calledBack.seen(), tool.seen()]);
		return all.every(({ runsBefore }) => runsBefore === 0);
	},
	without: {
		'the answers still come out': comeOutOf(({ resultData: { runData } }) => {
			const run = runData[NODE]?.[0];
			if (run !== undefined) runData[NODE]?.push(structuredClone(run));
		}),
	},
});

leansOn(
	'$execution.resumeUrl is the address below /webhook-waiting/ that resumes the execution, with a signature',
	{
		code: 'callbacks/resumeAddress.ts',
		holds: () =>
			/^http:\/\/localhost:\d+\/webhook-waiting\/\d+\?signature=\w+$/.test(woken.resumeUrl),
		without: {
			'the node checks for the answers in the process, with a hint that says so': looksInProcess(
				() => ({ getWorkflowDataProxy: () => ({}) }),
			),
		},
	},
);

leansOn('n8n rejects calls to $execution.resumeUrl without its signature', {
	code: 'callbacks/resumeAddress.ts',
	holds: async () =>
		(await calledBack.callBack(calledBack.resumeUrl.replace(/\?.*/, ''))).status === 401,
	otherwise:
		'The webhook secret would still keep strangers from answering: see test/engine/trigger/attacks.test.mts.',
});

leansOn('if several calls resume an execution at the same moment, only one succeeds', {
	code: 'callbacks/resumeAddress.ts',
	holds: async () => {
		const parked = await park();
		const answers = await Promise.all(
			Array.from({ length: 8 }, async () => await parked.callBack()),
		);
		return (await parked.seen()).timesWoken === 1 && answers.some(({ status }) => status === 200);
	},
	without: {
		'no answer is lost, but the next node may run twice': async () => {
			await onEngine(
				async ({ ask, service }) => {
					service.callbackFaults.drop = true;
					const parked = await ask();
					await pass(330_000);
					for (const run of await settle(Promise.all([parked.wake(), parked.wake()])))
						expectAnswers(run, service);
				},
				{ guardsResuming: false },
			);
		},
	},
});

leansOn(
	'webhook() of a parked node finds nodeExecutionStack, and n8n stores what it changes there when it resumes',
	{
		code: 'waiting/resumeWebhook.ts',
		holds: async () =>
			(await answerOfCallback()).isParkedFirst === true && (await calledBack.seen()).heard === true,
		without: {
			'callbacks have no effect, and the next check finds the answers': comeOutAlthough(
				{ webhook: hidden },
				{ statuses: [200, 200], by: ['look'] },
			),
			'callbacks resume the execution, and the node checks, if changes are not stored':
				comeOutAlthough(
					{ webhook: (context) => ({ runExecutionData: structuredClone(runOf(context)) }) },
					{ statuses: [200, 200], by: ['callback'] },
				),
		},
	},
);

leansOn(
	'the request of a callback has its bytes as rawBody, whatever its content type, once they are read',
	{
		code: 'callbacks/webhookRequest.ts',
		holds: async () => (await answerOfCallback()).hasRawBody === true,
		without: {
			'callbacks are rejected, and make the node check': comeOutAlthough(
				{
					webhook: () => ({
						getRequestObject: () => ({
							readRawBody: async () => {
								await Promise.resolve();
							},
						}),
					}),
				},
				{ statuses: [401, 401], by: ['callback', 'look'] },
			),
		},
	},
);

leansOn('additionalData.executionTimeoutTimestamp is when n8n ends the execution', {
	code: 'execution/executionStack.ts',
	holds: () => Math.abs(Number(noteOf(woken.stored).timesOutAt) - Date.now() - 3_600_000) < 300_000,
	without: {
		'n8n cancels what wakes too late, and a retry brings the answers': async () => {
			await onEngine(async ({ ask, service }) => {
				service.callbackFaults.drop = true;
				const parked = await ask(
					{ execute: () => ({ additionalData: {} }) },
					{ settings: { executionTimeout: 60 } },
				);
				await pass(330_000);
				const canceled = await settle(parked.wake());
				expect(canceled.status).toBe('canceled');
				expectAnswers(await settle(canceled.retry()), service);
			});
		},
	},
});

leansOn('Retry On Fail runs the same entry again, with its data', {
	code: 'execution/ledgerStorage.ts',
	holds: async () => {
		const execution = await run(
			{ fails: 'first' },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		);
		return execution.status === 'success';
	},
	otherwise: 'A node that fails after it has asked would ask again, and nothing makes up for it.',
});

leansOn('a retry of an execution begins with the entries that it has ended with, and their data', {
	code: 'execution/ledgerStorage.ts',
	holds: async () => (await retried()).isOther === true,
	otherwise: 'A retry would ask again, and nothing makes up for it.',
});

leansOn('additionalData.hooks.retryOf is the ID of the execution that this one is a retry of', {
	code: 'execution/executionStack.ts',
	holds: async () => {
		const { retryOf, noted } = await retried();
		return retryOf === noted && (await woken.seen()).retryOf === undefined;
	},
	otherwise: 'After a kill in the middle of sending, a retry would send again what was under way.',
});

leansOn('an execution and a retry of it have the same resumeToken, and the mode tells the retry', {
	code: 'execution/sent.ts',
	holds: async () => {
		const { resumeToken, tokenNow, mode } = await retried();
		return typeof resumeToken === 'string' && tokenNow === resumeToken && mode === 'retry';
	},
	otherwise: 'After a kill in the middle of sending, a retry would send again what was under way.',
});

leansOn('what a node keeps in its context is stored with the execution, and is there in a retry', {
	code: 'execution/sent.ts',
	holds: async () =>
		(await woken.seen()).ownContext === 'kept' && (await retried()).ownContext === 'kept',
	otherwise:
		'A loop with a constant question would not ask it again once its execution had paused.',
});

leansOn('a tool that AI Agent 3 calls runs from an entry of its own, which has a runIndex', {
	code: 'execution/ledgerStorage.ts',
	holds: () => {
		const { isOwnEntry, runIndex } = noteOf(tool.stored);
		return isOwnEntry === true && runIndex === 0;
	},
	without: {
		'the tool checks for the answers in the process, and says so': async () => {
			await onEngine(async ({ ask, service }) => {
				const run = await ask({ execute: asToolOf('Agent') });
				expectAnswers(run, service);
				expect(run.hints).toEqual([hints.checkedAsTool]);
			});
		},
	},
});

leansOn('n8n responds to a call to an unknown webhook with 404 and "not registered"', {
	code: 'callbacks/probe.ts',
	holds: async () => {
		const response = await n8n.callWebhook('legal-ai/nobody');
		return response.status === 404 && (await response.text()).includes('not registered');
	},
	otherwise:
		'A question could be asked whose answer no trigger receives; the operation "Get" would find it.',
});

leansOn(
	"n8n's store behind Remove Duplicates says which entries it has seen before, and forgets them",
	{
		code: 'trigger/deliveries.ts',
		holds: () => JSON.stringify(noteOf(woken.stored).processed) === '[[],["entry"],[]]',
		otherwise: 'A callback starts the workflow, and the log says why.',
	},
);
