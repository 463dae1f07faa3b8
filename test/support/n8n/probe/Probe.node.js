// Does with n8n what the Legal AI node does to wait, step by step, and puts out what it has seen: whether n8n still is as
// that node needs it. It parks, lets a callback or the time wake it, and runs again.
const timesWoken = new Map();

exports.Probe = class {
	description = {
		displayName: 'Probe',
		name: 'probe',
		group: ['transform'],
		version: 1.1,
		description: 'Parks, and tells what it has seen of n8n',
		defaults: { name: 'Probe' },
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: 'legal-ai',
				isFullPath: true,
				restartWebhook: true,
			},
		],
		properties: [
			{ displayName: 'Seconds', name: 'seconds', type: 'number', default: 3600 },
			{
				displayName: 'Fails',
				name: 'fails',
				type: 'options',
				default: 'never',
				options: ['never', 'first', 'woken'].map((value) => ({ name: value, value })),
			},
			{ displayName: 'Words', name: 'words', type: 'string', default: '' },
		],
	};

	async execute() {
		const entry = this.getExecuteData();
		const noted = noteOn(entry);
		const fails = this.getNodeParameter('fails', 0);
		if (noted !== undefined) return await wake(this, noted, fails);

		const stack = this.runExecutionData?.executionData?.nodeExecutionStack;
		const ownContext = this.getContext('node');
		const seen = seeExecution(this, entry);
		ownContext.probe = 'kept';
		const note = { executionId: this.getExecutionId(), seen };
		if (fails === 'first') {
			entry.data = { ...entry.data, probe: [[{ json: note }]] };
			throw new Error('Fails once');
		}
		const options = { mode: 'entries', maxEntries: 10 };
		const store = async () =>
			(await this.helpers.checkProcessedAndRecord(['entry'], 'node', options)).processed;
		seen.processed = [await store(), await store()];
		await this.helpers.removeProcessed(['entry'], 'node', options);
		seen.processed.push(await store());

		const { node, source } = entry;
		const copy = {
			...entry,
			node: { ...node },
			data: { ...entry.data, probe: [[{ json: note }]] },
		};
		const ending = { ...node, alwaysOutputData: false };
		const barrier = {
			node: { ...ending, name: `${node.name} waits`, disabled: true },
			data: { main: [] },
			source,
			metadata: { nodeWasResumed: true },
		};
		stack.unshift(barrier, copy);
		entry.node = ending;
		entry.data = { main: [] };
		if (entry.runIndex !== undefined)
			this.runExecutionData.resultData.runData[node.name].push({
				startTime: 0,
				executionTime: 0,
				executionIndex: 0,
				executionStatus: 'waiting',
				source: [],
			});
		await this.putExecutionToWait(
			new Date(Date.now() + this.getNodeParameter('seconds', 0) * 1000),
		);
		return [[]];
	}

	async webhook() {
		await this.getRequestObject().readRawBody();
		const [parked, ...rest] = this.runExecutionData?.executionData?.nodeExecutionStack ?? [];
		const note = rest.map(noteOn).find((each) => each !== undefined);
		if (note !== undefined) note.heard = true;
		return {
			webhookResponse: {
				isParkedFirst: parked?.node.name === this.getNode().name && parked.data.main.length === 0,
				hasRawBody: Buffer.isBuffer(this.getRequestObject().rawBody),
			},
			workflowData: [],
		};
	}
};

/** What a node sees of its execution as it begins to run. */
function seeExecution(context, entry) {
	const { executionData, resumeToken } = context.runExecutionData ?? {};
	const stack = executionData?.nodeExecutionStack;
	return {
		hasStack: Array.isArray(stack) && Object.isExtensible(stack),
		isOffTheStack: Array.isArray(stack) && !stack.includes(entry),
		isSameEntry: entry === context.getExecuteData(),
		isLive: Object.values(executionData?.contextData ?? {}).includes(context.getContext('node')),
		resumeUrl: context.getWorkflowDataProxy(0).$execution.resumeUrl,
		timesOutAt: context.additionalData?.executionTimeoutTimestamp,
		isOwnEntry: entry.node.name === context.getNode().name,
		runIndex: entry.runIndex,
		resumeToken,
	};
}

/** What was noted on an entry, as an item of an input that no node has. */
function noteOn(entry) {
	return entry.data.probe?.[0]?.[0]?.json;
}

async function wake(context, { executionId, seen, heard = false }, fails) {
	const isOther = executionId !== context.getExecutionId();
	if (fails === 'woken' && !isOther) throw new Error('Fails once it is woken');
	const key = context.getExecutionId();
	timesWoken.set(key, (timesWoken.get(key) ?? 0) + 1);
	const { runData } = context.runExecutionData.resultData;
	const woken = {
		...seen,
		mode: context.getMode(),
		tokenNow: context.runExecutionData.resumeToken,
		ownContext: context.getContext('node').probe,
		heard,
		isOther,
		input: context.getInputData().map(({ json }) => json),
		runsBefore:
			runData[context.getNode().name]?.filter(({ inputOverride }) => inputOverride === undefined)
				.length ?? 0,
	};
	// Whoever resumes it at the same moment comes this far, too.
	await new Promise((resolve) => setTimeout(resolve, 500));
	return [[{ json: { ...woken, timesWoken: timesWoken.get(key) }, pairedItem: { item: 0 } }]];
}
