import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Fields } from '../api';
import { group, type Parameter, type Parameters, readItem, type ValuesOf } from '../parameters';
import type { ItemRun, Services } from './itemRun';
import { NodeRun } from './nodeRun';

/** An operation of the node: its entry in the list, its fields, and what it does. */
export interface Operation {
	/** Its value is the operation's name. */
	option: Omit<INodePropertyOptions, 'value'>;
	/** What an AI agent is told that uses the node as a tool; by default what the list of operations says. */
	toolDescription: string;
	properties: INodeProperties[];
	/** What the canvas says while an execution is paused at it; missing if none ever is. */
	waitingTooltip?: string;
	/** The fields of its output items, which the editor shows before a first run. Missing if they are those of the input. */
	output?: Fields;
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** A resource of the API: its label in the list of resources, and its operations by name, the first one preselected. */
export interface Resource {
	label: string;
	operations: Record<string, Operation>;
}

/** What the editor shows of an operation beside its fields. */
type OperationWords = Pick<Operation, 'option' | 'waitingTooltip' | 'output'> &
	Partial<Pick<Operation, 'toolDescription'>>;

/** An operation that makes of each item its output items. */
export interface OperationDefinition<P extends Parameters, Prepared> extends OperationWords {
	parameters: P;
	/** Checks what the parameters alone don't show (e.g. the size of a file), before anything is sent for any item. */
	prepare?: (services: Services, values: ValuesOf<P>) => Prepared | Promise<Prepared>;
	/** Items with the same key run one after the other, in their order; all others in parallel. */
	concurrencyKey?: (values: ValuesOf<P>) => string | undefined;
	execute: (
		item: ItemRun,
		values: ValuesOf<P>,
		prepared: Prepared,
	) => Promise<INodeExecutionData[]>;
}

/**
 * Makes an operation of its definition: it reads and checks every item before anything is sent for any.
 *
 * @example
 * export const get = defineOperation({
 * 	option: { name: 'Get', action: 'Get task' },
 * 	parameters: { taskId },
 * 	execute: async ({ client }, { taskId }) => [{ json: await getTask(client, taskId) }],
 * });
 */
export function defineOperation<P extends Parameters, Prepared = undefined>(
	definition: OperationDefinition<P, Prepared>,
): Operation {
	const { parameters, prepare, concurrencyKey, execute } = definition;
	return operationOf(definition, group(parameters), async (run) => {
		const inputs: Array<{ values: ValuesOf<P>; prepared: Prepared }> = [];
		const groups = new Map<string | number, number[]>();
		await run.prepareItems(async (itemIndex) => {
			const values = readItem(run.context, itemIndex, group(parameters));
			inputs[itemIndex] = { values, prepared: (await prepare?.(run, values)) as Prepared };
			const key = concurrencyKey?.(values) ?? itemIndex;
			groups.set(key, [...(groups.get(key) ?? []), itemIndex]);
		});
		const output: INodeExecutionData[][] = [];
		await run.forItems([...groups.values()], async (item) => {
			const input = inputs[item.itemIndex];
			if (input !== undefined)
				output[item.itemIndex] = await execute(item, input.values, input.prepared);
		});
		return run.output(output);
	});
}

/** An operation with these fields; `execute` is the whole run of the node. */
export function operationOf(
	{ option, toolDescription = option.description ?? '', waitingTooltip, output }: OperationWords,
	{ properties }: Pick<Parameter<unknown>, 'properties'>,
	execute: (run: NodeRun) => Promise<INodeExecutionData[][]>,
): Operation {
	return {
		option,
		toolDescription,
		properties,
		waitingTooltip,
		output,
		run: async (context) => {
			const run = await NodeRun.start(context, properties);
			return await run.upToOutput(async () => await execute(run));
		},
	};
}
