import { NodeApiError, type IDataObject, type IExecuteFunctions, type INode, type INodeExecutionData } from 'n8n-workflow';

import { DEFAULT_REQUESTS_AT_ONCE, LegalAiClient } from './api/client';
import { toNodeError } from './api/errors';
import type { Operation, Run, Work } from './operation';

/**
 * Runs an operation over all input items: first every item is planned (read and checked), then the work is
 * done side by side (the client bounds the requests). Output keeps the order of the input, each item paired with
 * its input item. With "Continue on Fail", an item that fails becomes `{ error, details }` and leaves the others
 * alone; without it, a bad item ends the node before anything was sent, and a failing one ends it at once.
 */
export async function runOperation(context: IExecuteFunctions, operation: Operation): Promise<INodeExecutionData[][]> {
	const itemCount = context.getInputData().length;
	const output: INodeExecutionData[][] = Array.from({ length: itemCount }, () => []);
	const stop = new AbortController();
	const run = await startRun(context, stop);

	const lanes = new Map<string, Array<{ itemIndex: number; work: Work }>>();
	for (let itemIndex = 0; itemIndex < itemCount; itemIndex++) {
		output[itemIndex] = await run.settle(itemIndex, async () => {
			const work = await operation.plan(run, itemIndex);
			const name = work.lane ?? `item ${itemIndex}`;
			const lane = lanes.get(name) ?? [];
			lane.push({ itemIndex, work });
			lanes.set(name, lane);
			return [];
		});
	}

	const perform = async (lane: Array<{ itemIndex: number; work: Work }>): Promise<void> => {
		for (const { itemIndex, work } of lane) {
			if (run.signal.aborted) return;
			output[itemIndex] = await run.settle(itemIndex, work.perform);
		}
	};
	const ends = await Promise.allSettled([...lanes.values()].map(perform));
	const failed = ends.find((end) => end.status === 'rejected');
	if (failed !== undefined) throw toNodeError(context.getNode(), stop.signal.reason ?? failed.reason);

	const items = output.flat();
	return [operation.finish === undefined ? items : await operation.finish(run, items)];
}

/** Whether a node has an "On Error" setting under which failed items are output. */
export function continuesOnFail({ onError, continueOnFail }: INode): boolean {
	return onError === undefined ? continueOnFail === true : onError !== 'stopWorkflow';
}

/** Whether a node is the tool of an AI agent: n8n adds the ending to its type's name. */
export function isAgentTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** The output item of an item that failed. n8n's error output knows it by these very names. */
export function failedItem(error: ReturnType<typeof toNodeError>, itemIndex: number): INodeExecutionData {
	const details: IDataObject = { description: error.description ?? null };
	if (error instanceof NodeApiError && error.httpCode) details.http_code = error.httpCode;
	return { json: { error: error.message, details }, pairedItem: { item: itemIndex } };
}

async function startRun(context: IExecuteFunctions, stop: AbortController): Promise<Run> {
	const cancelled = context.getExecutionCancelSignal();
	const signal = cancelled === undefined ? stop.signal : AbortSignal.any([stop.signal, cancelled]);
	const hints = new Set<string>();
	try {
		return {
			context,
			client: await LegalAiClient.create(context, { signal, requestsAtOnce: requestsAtOnce(context) }),
			signal,
			startedAt: Date.now(),
			settle: async (itemIndex, attempt) => {
				try {
					const items = await attempt();
					return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
				} catch (error) {
					const nodeError = toNodeError(context.getNode(), error, itemIndex);
					if (context.continueOnFail() && !signal.aborted) return [failedItem(nodeError, itemIndex)];
					stop.abort(nodeError);
					throw nodeError;
				}
			},
			hint: (message) => {
				if (!hints.has(message)) context.addExecutionHints({ message, location: 'outputPane' });
				hints.add(message);
			},
		};
	} catch (error) {
		throw toNodeError(context.getNode(), error);
	}
}

function requestsAtOnce(context: IExecuteFunctions): number {
	const chosen = context.getNodeParameter('options.requestsAtOnce', 0, DEFAULT_REQUESTS_AT_ONCE);
	return typeof chosen === 'number' && chosen >= 1 ? Math.floor(chosen) : DEFAULT_REQUESTS_AT_ONCE;
}
