import { ApiFailure } from './api/failure';
import type { Run } from './operation';
import { isAgentTool } from './run';

/**
 * Makes a function that does something once only for each item of a node's execution, although n8n runs the node
 * again because of "Retry On Fail": what succeeded in an earlier try is given again, and so is a failure that
 * leaves open whether it was carried out. Other failures are tried anew.
 */
export function oncePerItem<Result>(): (run: Run, itemIndex: number, act: () => Promise<Result>) => Promise<Result> {
	const executions = new WeakMap<object, Map<number, Promise<Result>>>();
	return async (run, itemIndex, act) => {
		const execution = sameForEveryTry(run);
		const results = executions.get(execution) ?? new Map<number, Promise<Result>>();
		executions.set(execution, results);

		const before = results.get(itemIndex);
		if (before !== undefined) return await before;
		const result = act();
		results.set(itemIndex, result);
		return await result.catch(async (error: unknown) => {
			if (!(error instanceof ApiFailure) || !error.facts.mayHaveBeenAccepted) results.delete(itemIndex);
			return await Promise.reject(error);
		});
	};
}

/**
 * What n8n hands out anew for each execution of a node, and again for each try of it. A tool may be called many
 * times with the one execute data of its agent: there, each call has arguments of its own.
 */
function sameForEveryTry({ context }: Run): object {
	const [call] = isAgentTool(context.getNode()) ? context.getInputData() : [];
	return call?.json ?? context.getExecuteData();
}
