import { isBinaryValue, isExpression, isResourceLocatorValue } from 'n8n-workflow';
import type {
	IBinaryData,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { isRecord } from '../api';
import { FILES_IN_JSON } from './binaryFields';
import { timezoneOf } from './dateTime';
import type { ItemScope, Parameter } from './parameter';

/** Reads a parameter for an item. What n8n does not show is null. */
export function readItem<Value>(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: Parameter<Value>,
): Value {
	return parameter.read(
		(name) => context.getNodeParameter(name, itemIndex, null) as unknown,
		itemScopeOf(context, itemIndex),
	);
}

/** Reads an option for all items of a run. It takes no expression, so the first item's is that of all. */
export function readRunOption<Value>(context: IExecuteFunctions, option: Parameter<Value>): Value {
	return option.read(
		(name) => context.getNodeParameter(`options.${name}`, 0, null) as unknown,
		itemScopeOf(context, 0),
	);
}

/** What parameters may know of an item. */
function itemScopeOf(context: IExecuteFunctions, itemIndex: number): ItemScope {
	const { json, binary: files } = inputItemOf(context, itemIndex);
	return {
		timezone: timezoneOf(context),
		json,
		files,
		isFileField: (name) =>
			context
				.getInputData()
				.some((_item, index) => Object.hasOwn(inputItemOf(context, index).binary, name)),
		isExpression: (name) => {
			const saved = context.getNode().parameters[name];
			return isExpression(isResourceLocatorValue(saved) ? saved.value : saved);
		},
	};
}

/** An item of the input with all its files, also with those that a workflow with `binaryMode: combined` keeps in the JSON. */
export function inputItemOf(
	context: IExecuteFunctions,
	itemIndex: number,
): INodeExecutionData & { binary: IBinaryKeyData } {
	const item: INodeExecutionData = context.getInputData()[itemIndex] ?? { json: {} };
	const inJson: unknown =
		context.getWorkflowSettings().binaryMode === 'combined' ? item.json[FILES_IN_JSON] : undefined;
	const fields = isRecord(inJson) ? Object.entries(inJson) : [];
	const files = fields.filter((field): field is [string, IBinaryData] => isBinaryValue(field[1]));
	return { ...item, binary: { ...item.binary, ...Object.fromEntries(files) } };
}
