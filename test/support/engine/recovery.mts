import { NodeOperationError, WorkflowOperationError, type IRunExecutionData } from 'n8n-workflow';

import type { WorkflowJson } from './workflows.mts';

/** How long n8n takes to write an event into its log, in ms: what is killed sooner leaves none. */
const WRITTEN_AFTER_MS = 500;

interface Event {
	name: string;
	is: 'started' | 'finished';
	at: number;
}

/** n8n's event log, which outlives the process: which nodes an execution has begun and ended since it was started or resumed. */
export class EventLog {
	#events = new Map<string, Event[]>();

	/** An execution was started or resumed. */
	begin(executionId: string) {
		this.#events.set(executionId, []);
	}

	add(executionId: string, name: string, is: Event['is']) {
		this.#events.get(executionId)?.push({ name, is, at: Date.now() });
	}

	/** Invents a run for each node of a crashed execution that has none and has begun, in the order of the workflow's JSON. */
	recover(executionId: string, { nodes }: WorkflowJson, { resultData }: IRunExecutionData) {
		const written = Date.now() - WRITTEN_AFTER_MS;
		const events = (this.#events.get(executionId) ?? []).filter(({ at }) => at <= written);
		for (const node of nodes) {
			const has = (is: Event['is']) =>
				events.some((event) => event.name === node.name && event.is === is);
			if (!has('started') || resultData.runData[node.name] !== undefined) continue;
			const run = { startTime: 0, executionIndex: 0, executionTime: 0, source: [null] };
			resultData.lastNodeExecuted = node.name;
			if (has('finished')) {
				const json = { isArtificialRecoveredEventItem: true };
				resultData.runData[node.name] = [
					{ ...run, executionStatus: 'success', data: { main: [[{ json }]] } },
				];
			} else {
				const error = new NodeOperationError(node, 'Node crashed, possible out-of-memory issue');
				resultData.runData[node.name] = [{ ...run, executionStatus: 'crashed', error }];
				resultData.error = new WorkflowOperationError('Workflow did not finish');
			}
		}
	}
}
