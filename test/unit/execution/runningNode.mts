import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

/** A node with so many items, as n8n runs it; what it shows beside its output. */
export function nodeWith(
	items: number,
	{ continueOnFail = false, requestsAtOnce = 40, baseUrl = 'https://legal-ai.example.com/api/v1', stop, changes = {} }: {
		continueOnFail?: boolean;
		requestsAtOnce?: unknown;
		baseUrl?: string;
		stop?: AbortSignal;
		/** What n8n shows the node in place of what is here. */
		changes?: object;
	} = {},
): { context: IExecuteFunctions; entry: IExecuteData; hints: string[] } {
	const hints: string[] = [];
	const node = { id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const entry: IExecuteData = { node, data: { main: [[]] }, source: null };
	const kept = {};
	const context = {
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		continueOnFail: () => continueOnFail,
		getContext: () => kept,
		getCredentials: async () => await Promise.resolve({ baseUrl, apiKey: 'sk-svc-api1-1' }),
		getExecuteData: () => entry,
		getExecutionCancelSignal: () => stop,
		getExecutionId: () => '7',
		getInputData: () => Array.from({ length: items }, (_, index) => ({ json: { index } })),
		getNode: () => node,
		getNodeParameter: () => requestsAtOnce,
		getTimezone: () => 'UTC',
		getWorkflow: () => ({ id: 'w' }),
		getWorkflowSettings: () => ({}),
		setMetadata: () => undefined,
		helpers: {},
		...changes,
	} as unknown as IExecuteFunctions;
	return { context, entry, hints };
}
