import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { Fields } from '../api/fields';
import { group, type Parameters, type ValuesOf } from '../parameters/parameter';
import type { ItemRun, Services } from './itemRun';
import { readItem } from './itemScope';
import { NodeRun } from './nodeRun';

/** An operation of the node: its entry in the list, its fields, and what it does. */
export interface Operation {
	/** Its value is the operation's name. */
	option: Omit<INodePropertyOptions, 'value'>;
	/** What an AI agent is told that uses the node as a tool; by default what the list of operations says. */
	toolDescription: string;
	properties: INodeProperties[];
	/** The fields of its output items, which the editor shows before a first run. Missing if they are those of the input. */
	output?: Fields;
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** A resource of the API: its label in the list of resources, and its operations by name, the first one preselected. */
export interface Resource {
	label: string;
	operations: Record<string, Operation>;
}

/** An operation that makes of each item its output items. */
export interface OperationDefinition<P extends Parameters, Prepared>
	extends Pick<Operation, 'option' | 'output'>,
		Partial<Pick<Operation, 'toolDescription'>> {
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
	const {
		option,
		toolDescription = option.description ?? '',
		parameters,
		output,
		prepare,
		concurrencyKey,
		execute,
	} = definition;
	const { properties } = group(parameters);
	return {
		option,
		toolDescription,
		properties,
		output,
		run: async (context) => {
			const run = await NodeRun.start(context, properties);
			return await run.upToOutput(async () => {
				const inputs: Array<{ values: ValuesOf<P>; prepared: Prepared }> = [];
				const groups = new Map<string | number, number[]>();
				await run.prepareItems(async (itemIndex) => {
					const values = readItem(context, itemIndex, group(parameters));
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
		},
	};
}
