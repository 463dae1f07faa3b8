import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INode, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../../harness/executions.mts';
import { projectFolder } from '../../harness/installedPackage.mts';
import type { N8nClient } from '../../harness/n8nClient.mts';
import { n8nVersion, requireAsN8n } from '../../harness/versions.mts';
import { node, webhook } from '../../harness/workflows.mts';
import { asList, asRecord, asText, isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { agentWorkflow } from '../support/n8n/agents.mts';
import { type Stage, test as base } from '../support/n8n/fixtures.mts';
import type { LanguageModel } from '../support/n8n/languageModel.mts';
import { after, begin, start } from '../support/n8n/parkedQuestions.mts';

/**
 * Everything of n8n that the nodes lean on and that n8n does not promise. For a new n8n, read this file from the top: a test that
 * fails names what that n8n has changed and the code that rests on it. A real n8n is asked by a node that does what the Legal AI node
 * does (`probe/`).
 */

/** Executions of the probe that the assumptions share. */
interface Probes {
	/** One that was called back. */
	calledBack: Parked;
	/** One that was woken. */
	woken: Parked;
	/** A tool call of an agent that was woken. */
	tool: Parked;
	/** What the probe says to the callback that resumes `calledBack`. */
	callBackOnce: () => Promise<JsonRecord>;
	/** What the probe sees in the retry of an execution that has failed. */
	retryOnce: () => Promise<JsonRecord>;
}

const test = base.extend<{ probes: Probes }>({
	probes: [
		async ({ n8n, startedModel }, use) => {
			const [calledBack, woken, tool] = await Promise.all([
				park(n8n),
				park(n8n, { seconds: 1 }),
				parkTool(n8n, startedModel),
			]);
			let answer: ReturnType<Parked['callBack']> | undefined;
			let retried: Promise<JsonRecord> | undefined;
			await use({
				calledBack,
				woken,
				tool,
				callBackOnce: async () => {
					answer ??= calledBack.callBack();
					return asRecord((await answer).body, 'What a callback is answered');
				},
				retryOnce: async () => await (retried ??= failAndRetry(n8n)),
			});
		},
		{ scope: 'file' },
	],
});

test('the n8n that runs is the one that test/n8n/current/package.json names', async ({ n8n }) => {
	expect(await n8n.session.get('/settings')).toMatchObject({ versionCli: n8nVersion });
});

test.for(['n8n-core', 'n8n-workflow'])(
	'the engine in this process has the %s of that n8n',
	(name) => {
		const [ofEngine, ofN8n] = [createRequire(import.meta.url), requireAsN8n].map(
			(load) => (load(`${name}/package.json`) as { version: string }).version,
		);
		expect(ofEngine).toBe(ofN8n);
	},
);

/** One assumption: what is leaned on, and by which code. */
function leansOn(
	assumption: string,
	{
		code,
		holds,
		otherwise = '',
	}: {
		code: string;
		holds: (parts: Probes & Pick<Stage, 'n8n'>) => Promise<boolean> | boolean;
		/** What users would get, if there is no other way. */
		otherwise?: string;
	},
) {
	test(`assumption: ${assumption}`, async ({ n8n, probes }) => {
		const file = join(projectFolder, 'nodes/LegalAi', code);
		expect(existsSync(file), `${code} is gone`).toBe(true);
		expect(
			await holds({ n8n, ...probes }),
			`This n8n has changed what nodes/LegalAi/${code} rests on: ${assumption}. ${otherwise}`,
		).toBe(true);
	});
}

/** An execution of the probe in the real n8n. */
type Parked = ReturnType<typeof readParked>;

async function park(n8n: N8nClient, parameters: INodeParameters = {}) {
	return readParked(n8n, await run(n8n, parameters));
}

/** Starts a workflow with the probe in it, and waits until it is parked or over. */
async function run(n8n: N8nClient, parameters: INodeParameters, more: Partial<INode> = {}) {
	const path = randomUUID();
	const probe = node('Probe', 'CUSTOM.probe', parameters, {
		id: 'probe',
		typeVersion: 1.1,
		webhookId: path,
		...more,
	});
	return await start(n8n, path, [probe, after], { settings: { executionTimeout: 3600 } });
}

/** The probe as a tool that an agent's model calls. */
async function parkTool(n8n: N8nClient, model: LanguageModel) {
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
	const workflow = await agentWorkflow(n8n, model, webhook(path), probe);
	return readParked(n8n, await begin(n8n, path, workflow));
}

function readParked(n8n: N8nClient, { id, stored }: Execution) {
	const resumeUrl = asText(readNote(stored).resumeUrl, 'The address to resume at');
	const over = async () => await n8n.waitForExecution(id);
	return {
		resumeUrl,
		/** As it was stored while it was parked. */
		stored,
		over,
		/** What a callback is answered. */
		callBack: async (url = resumeUrl) => {
			const response = await fetch(url.replace(/(\?|$)/, '/legal-ai$1'), {
				method: 'POST',
				body: Buffer.from('{}'),
			});
			return { status: response.status, body: (await response.json()) as unknown };
		},
		/** What the probe has seen, once it is over. */
		seen: async () => readSeen(await over()),
	};
}

/** The entries that n8n has still to run. */
function readStack(stored: JsonRecord) {
	const stack = asList(
		asRecord(stored.executionData, 'What is left to run').nodeExecutionStack,
		'The stack',
	);
	return stack.map((entry) => asRecord(entry, 'An entry of the stack'));
}

/** What the probe has seen before it parked. */
function readNote(stored: JsonRecord) {
	const notes = readStack(stored).flatMap(({ data }) =>
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

function readSeen(execution: Execution) {
	return asRecord(execution.runs.Probe?.at(-1)?.outputs[0]?.[0]?.json, 'What the probe has seen');
}

async function failAndRetry(n8n: N8nClient) {
	const failed = await (await park(n8n, { fails: 'woken', seconds: 1 })).over();
	const known = await n8n.executions(failed.workflowId);
	await n8n.retry(failed);
	return readSeen(await n8n.waitForNextExecution(failed.workflowId, known));
}

leansOn(
	'runExecutionData.executionData.nodeExecutionStack is the list of what an execution still has to run',
	{
		code: 'execution/parking.ts',
		holds: ({ woken }) => readNote(woken.stored).hasStack === true,
	},
);

leansOn('the entry that is running is not on nodeExecutionStack', {
	code: 'execution/parking.ts',
	holds: ({ woken }) => readNote(woken.stored).isOffTheStack === true,
});

leansOn('runExecutionData and getExecuteData() are what n8n goes on with, and no copies', {
	code: 'execution/parking.ts',
	holds: ({ woken }) =>
		readNote(woken.stored).isSameEntry === true && readNote(woken.stored).isLive === true,
});

leansOn(
	'what a node adds to nodeExecutionStack is stored behind its parked entry, in the same order',
	{
		code: 'execution/parking.ts',
		holds: ({ woken }) => {
			const [parked, between, copy] = readStack(woken.stored);
			return isEmpty(parked) && isEmpty(between) && copy !== undefined && !isEmpty(copy);
		},
		otherwise:
			'The input of the node would come out in place of the answers, and nothing makes up for it.',
	},
);

leansOn('the data of an entry is stored, also of inputs that its node does not have', {
	code: 'execution/ledger.ts',
	holds: async ({ woken }) => (await woken.seen()).hasStack === true,
	otherwise: 'The node would ask again when n8n wakes it, and nothing makes up for it.',
});

leansOn('a parked entry never runs again: what lies behind it does, on its own input', {
	code: 'execution/parking.ts',
	holds: async ({ woken }) => {
		const { runs } = await woken.over();
		const [item] = (await woken.seen()).input as JsonRecord[];
		return runs.After?.length === 1 && item !== undefined && 'webhookUrl' in item;
	},
});

leansOn('when n8n resumes an execution, it removes the run that it recorded for the wait', {
	code: 'execution/parking.ts',
	holds: async ({ calledBack, woken, tool, callBackOnce }) => {
		await callBackOnce();
		const all = await Promise.all([woken.seen(), calledBack.seen(), tool.seen()]);
		return all.every(({ runsBefore }) => runsBefore === 0);
	},
});

leansOn(
	'$execution.resumeUrl is the address below /webhook-waiting/ that resumes the execution, with a signature',
	{
		code: 'execution/engine.ts',
		holds: ({ woken }) =>
			/^http:\/\/localhost:\d+\/webhook-waiting\/\d+\?signature=\w+$/.test(woken.resumeUrl),
	},
);

leansOn('n8n rejects calls to $execution.resumeUrl without its signature', {
	code: 'execution/engine.ts',
	holds: async ({ calledBack }) =>
		(await calledBack.callBack(calledBack.resumeUrl.replace(/\?.*/, ''))).status === 401,
	otherwise:
		'Strangers could have the node check for answers, and nothing more: it believes nothing that it is sent.',
});

leansOn('if several calls resume an execution at the same moment, only one succeeds', {
	code: 'execution/engine.ts',
	holds: async ({ n8n }) => {
		const parked = await park(n8n);
		const answers = await Promise.all(
			Array.from({ length: 8 }, async () => await parked.callBack()),
		);
		return (await parked.seen()).timesWoken === 1 && answers.some(({ status }) => status === 200);
	},
});

leansOn(
	'webhook() of a parked node finds nodeExecutionStack, and n8n stores what it changes there when it resumes',
	{
		code: 'execution/doorbell.ts',
		holds: async ({ calledBack, callBackOnce }) =>
			(await callBackOnce()).isParkedFirst === true && (await calledBack.seen()).heard === true,
	},
);

leansOn(
	'the request of a callback has its bytes as rawBody, whatever its content type, once they are read',
	{
		code: 'trigger/receive.ts',
		holds: async ({ callBackOnce }) => (await callBackOnce()).hasRawBody === true,
	},
);

leansOn('additionalData.executionTimeoutTimestamp is when n8n ends the execution', {
	code: 'execution/parking.ts',
	holds: ({ woken }) =>
		Math.abs(Number(readNote(woken.stored).timesOutAt) - Date.now() - 3_600_000) < 300_000,
});

leansOn('Retry On Fail runs the same entry again, with its data', {
	code: 'execution/ledger.ts',
	holds: async ({ n8n }) => {
		const execution = await run(
			n8n,
			{ fails: 'first' },
			{ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 },
		);
		return execution.status === 'success';
	},
	otherwise: 'A node that fails after it has asked would ask again, and nothing makes up for it.',
});

leansOn('a retry of an execution begins with the entries that it has ended with, and their data', {
	code: 'execution/ledger.ts',
	holds: async ({ retryOnce }) => (await retryOnce()).isOther === true,
	otherwise: 'A retry would ask again, and nothing makes up for it.',
});

leansOn('an execution and a retry of it have the same resumeToken, and the mode tells the retry', {
	code: 'execution/engine.ts',
	holds: async ({ retryOnce }) => {
		const { resumeToken, tokenNow, mode } = await retryOnce();
		return typeof resumeToken === 'string' && tokenNow === resumeToken && mode === 'retry';
	},
	otherwise: 'After a kill in the middle of sending, a retry would send again what was under way.',
});

leansOn('what a node keeps in its context is stored with the execution, and is there in a retry', {
	code: 'execution/engine.ts',
	holds: async ({ woken, retryOnce }) =>
		(await woken.seen()).ownContext === 'kept' && (await retryOnce()).ownContext === 'kept',
	otherwise:
		'A loop with a constant question would not ask it again once its execution had paused.',
});

leansOn('a tool that AI Agent 3 calls runs from an entry of its own, which has a runIndex', {
	code: 'execution/ledger.ts',
	holds: ({ tool }) => {
		const { isOwnEntry, runIndex } = readNote(tool.stored);
		return isOwnEntry === true && runIndex === 0;
	},
});

leansOn('n8n responds to a call to an unknown webhook with 404 and "not registered"', {
	code: 'trigger/address.ts',
	holds: async ({ n8n }) => {
		const response = await n8n.callWebhook('legal-ai/nobody');
		return response.status === 404 && (await response.text()).includes('not registered');
	},
	otherwise:
		'A question could be asked whose answer no trigger receives; the operation "Get" would find it.',
});

leansOn(
	"n8n's store behind Remove Duplicates says which entries it has seen before, and forgets them",
	{
		code: 'execution/notes.ts',
		holds: ({ woken }) => JSON.stringify(readNote(woken.stored).processed) === '[[],["entry"],[]]',
		otherwise: 'A callback starts the workflow, and the log says why.',
	},
);
