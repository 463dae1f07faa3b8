import type { IExecuteData, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { vi } from 'vitest';

import { readEntryMemory, writeEntryMemory, type ParkedState } from '../../../nodes/LegalAi/execution/entryMemory.ts';

/** What the service says of a question, or of a request for it. */
export interface Reply {
	readonly status?: number;
	readonly headers?: Record<string, string>;
	readonly body?: object;
}

/** A request that asks a question, or looks at one. */
export interface Sent {
	readonly method: string;
	/** Its ID; of a question that is asked, its text. */
	readonly id: string;
	/** In ms from the beginning. */
	readonly at: number;
}

/** The Legal AI node as n8n runs it, parks it and wakes it. */
export interface AskingNode {
	readonly context: IExecuteFunctions;
	/** What it shows beside its output. */
	readonly hints: string[];
	readonly sent: Sent[];
	/** What n8n has noted of the execution. */
	readonly resultData: Record<string, unknown>;
	/** Until when it is parked, in ms from the beginning; undefined if it is not. */
	readonly parkedUntil: () => number | undefined;
	/** Lets n8n wake it at its time, or earlier, with something else in what it remembers of the wait. */
	readonly wake: (parked?: Partial<ParkedState>, at?: number) => void;
	readonly stop: () => void;
}

let started = 0;

/** Starts a node, with a service that answers each request as it is told. Wants fake timers. */
export function askingNode({ items = [{}], reply = () => ({}), changes = {} }: {
	/** The parameters of each item, by name. */
	items?: readonly Record<string, unknown>[];
	reply?: (sent: Sent) => Reply;
	/** What n8n shows the node in place of what is here. */
	changes?: object;
} = {}): AskingNode {
	const begun = Date.now();
	const hints: string[] = [];
	const sent: Sent[] = [];
	const stopping = new AbortController();
	const number = ++started;
	const node = { id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	let entry: IExecuteData = { node, data: { main: [[]] }, source: null };
	let until: Date | undefined;
	const kept = {};
	const stack: IExecuteData[] = [];
	const resultData = {};
	// The limits of the service go by its address: each node begins with all of them.
	const credential = { baseUrl: `https://legal-ai.example.com/${number}/api/v1`, apiKey: 'sk-svc-api1-1' };
	const context = {
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		continueOnFail: () => false,
		getContext: () => kept,
		getCredentials: async () => await Promise.resolve(credential),
		getExecuteData: () => entry,
		getExecutionCancelSignal: () => stopping.signal,
		getExecutionId: () => `of node ${number}`,
		getInputData: () => items.map((_, index) => ({ json: { index } })),
		getMode: () => 'trigger',
		getNode: () => node,
		getNodeParameter: (name: string, itemIndex: number, fallback: unknown) => items[itemIndex]?.[name] ?? fallback,
		getTimezone: () => 'UTC',
		getWorkflowDataProxy: () => ({ $execution: { resumeUrl: `https://n8n.example.com/webhook-waiting/${number}?signature=s` } }),
		getWorkflowSettings: () => ({}),
		helpers: {
			httpRequestWithAuthentication: async (_credential: string, { method = 'GET', url, body }: IHttpRequestOptions) => {
				const { question } = JSON.parse(typeof body === 'string' ? body : '{}') as { question?: string };
				const request = { method, id: question ?? url.split('/').at(-1) ?? '', at: Date.now() - begun };
				sent.push(request);
				const { status = 200, headers = {}, body: replied = {} } = reply(request);
				return await Promise.resolve({ statusCode: status, headers, body: JSON.stringify(replied) });
			},
		},
		putExecutionToWait: async (at: Date) => {
			until = at;
			await Promise.resolve();
		},
		runExecutionData: { executionData: { nodeExecutionStack: stack, contextData: { 'node:Legal AI': kept } }, resultData },
		...changes,
	} as unknown as IExecuteFunctions;
	const parkedUntil = (): number | undefined => until && until.getTime() - begun;
	return {
		context,
		hints,
		sent,
		resultData,
		parkedUntil,
		wake: (parked = {}, at = parkedUntil()) => {
			const copy = stack[1];
			const memory = readEntryMemory(copy);
			if (copy === undefined || memory?.parked === undefined || at === undefined) throw new Error('The node has not parked');
			writeEntryMemory(copy, { ...memory, parked: { ...memory.parked, ...parked } });
			[entry, until] = [copy, undefined];
			stack.length = 0;
			hints.length = 0;
			vi.setSystemTime(begun + at);
		},
		stop: () => { stopping.abort(); },
	};
}
