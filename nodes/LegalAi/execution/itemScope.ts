import { isBinaryValue, isExpression, isResourceLocatorValue, type IBinaryKeyData, type IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/json';
import { FILES_IN_JSON } from '../parameters/binaryFields';
import type { ItemScope, Parameter, RawValues } from '../parameters/parameter';

/** Reads a parameter for an item. */
export function readItem<Value>(context: IExecuteFunctions, itemIndex: number, parameter: Parameter<Value>): Value {
	return parameter.read(rawValuesOf(context, itemIndex), itemScopeOf(context, itemIndex));
}

/** Reads an option for all items of a run. It takes no expression, so the first item's is that of all. */
export function readRunOption<Value>(context: IExecuteFunctions, option: Parameter<Value>): Value {
	return option.read((name) => rawValuesOf(context, 0)(`options.${name}`), itemScopeOf(context, 0));
}

/** An item's values for the node's parameters; null for one that n8n does not show. */
function rawValuesOf(context: IExecuteFunctions, itemIndex: number): RawValues {
	return (name) => context.getNodeParameter(name, itemIndex, null) as unknown;
}

/** What parameters may know of an item. */
function itemScopeOf(context: IExecuteFunctions, itemIndex: number): ItemScope {
	return {
		timezone: context.getTimezone(),
		json: context.getInputData()[itemIndex]?.json ?? {},
		files: filesOf(context, itemIndex),
		isFileField: (name) => context.getInputData().some((_item, index) => Object.hasOwn(filesOf(context, index), name)),
		isExpression: (name) => {
			const saved = context.getNode().parameters[name];
			return isExpression(isResourceLocatorValue(saved) ? saved.value : saved);
		},
	};
}

function filesOf(context: IExecuteFunctions, itemIndex: number): IBinaryKeyData {
	const item = context.getInputData()[itemIndex];
	const files: IBinaryKeyData = { ...item?.binary };
	const inJson: unknown = item?.json[FILES_IN_JSON];
	if (context.getWorkflowSettings().binaryMode === 'combined' && isRecord(inJson)) {
		for (const [name, value] of Object.entries(inJson)) {
			if (isBinaryValue(value)) files[name] = value;
		}
	}
	return files;
}
