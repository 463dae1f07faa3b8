import type { IExecuteFunctions, INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Fields } from '../api/fields';
import { propertiesOf, readParameters, type Parameters, type ValuesOf } from '../parameters/parameter';
import { itemScopeOf, rawValuesOf } from './itemScope';
import type { ItemRun, Services } from './itemRun';
import { NodeRun, type Outcome } from './nodeRun';

/** An operation of the node: its entry in the list, its fields, and what it does. */
export interface Operation {
	option: INodePropertyOptions;
	/** What an AI agent is told that uses the node as a tool. */
	toolDescription: string;
	properties: INodeProperties[];
	output?: Fields;
	run: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

/** A resource of the API: its entry in the list of resources, and its operations by name, the first one preselected. */
export interface Resource {
	option: INodePropertyOptions;
	operations: Record<string, Operation>;
}

/** What every operation says of itself. */
export interface OperationDescription<P extends Parameters, Prepared> {
	option: INodePropertyOptions;
	/** See {@link Operation.toolDescription}; by default what the list of operations says. */
	toolDescription?: string;
	parameters: P;
	/** The fields of its output items, which the editor shows before a first run. Missing if they are those of the input. */
	output?: Fields;
	/** Checks what the parameters alone don't show (e.g. the size of a file), before anything is sent for any item. */
	prepare?: (services: Services, values: ValuesOf<P>) => Prepared | Promise<Prepared>;
	/** Items with the same key run one after the other, in their order; all others in parallel. */
	concurrencyKey?: (values: ValuesOf<P>) => string | undefined;
}

/** An operation that makes of each item its output items. */
export interface OperationDefinition<P extends Parameters, Prepared> extends OperationDescription<P, Prepared> {
	execute: (item: ItemRun, values: ValuesOf<P>, prepared: Prepared) => Promise<INodeExecutionData[]>;
}

/** An item's parameters, read and checked. */
export interface PreparedItem<P extends Parameters, Prepared> {
	values: ValuesOf<P>;
	prepared: Prepared;
}

/** Makes an operation of its definition. */
export function defineOperation<P extends Parameters, Prepared = undefined>(
	definition: OperationDefinition<P, Prepared>,
): Operation {
	return {
		option: definition.option,
		toolDescription: definition.toolDescription ?? definition.option.description ?? '',
		properties: propertiesOf(definition.parameters),
		output: definition.output,
		run: async (context) => {
			const run = await NodeRun.start(context);
			if (run.credentialError !== undefined) throw run.credentialError;
			const prepared = await prepareItems(run, definition);
			const outcomes = await run.executeItems(
				prepared,
				async (item, { values, prepared: own }) => await definition.execute(item, values, own),
				{ concurrencyKey: ({ values }) => definition.concurrencyKey?.(values) },
			);
			return run.output(outcomes);
		},
	};
}

/** Reads and checks every item before anything is sent for any. */
export async function prepareItems<P extends Parameters, Prepared>(
	run: NodeRun,
	{ parameters, prepare }: OperationDescription<P, Prepared>,
): Promise<Array<Outcome<PreparedItem<P, Prepared>>>> {
	return await run.prepareItems(async (itemIndex) => {
		const { context } = run;
		const values = readParameters(parameters, rawValuesOf(context, itemIndex), itemScopeOf(context, itemIndex));
		return { values, prepared: (await prepare?.(run, values)) as Prepared };
	});
}
