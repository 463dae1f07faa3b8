import { isBinaryValue, isExpression, isResourceLocatorValue, type IBinaryKeyData, type IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api/json';
import { FILES_IN_JSON } from '../parameters/binaryFields';
import type { ItemScope, RawValues } from '../parameters/parameter';

/** What parameters may know of an item. */
export function itemScopeOf(context: IExecuteFunctions, itemIndex: number): ItemScope {
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

/** An item's values for the node's parameters; null for one that n8n does not show. */
export function rawValuesOf(context: IExecuteFunctions, itemIndex: number): RawValues {
	return (name) => context.getNodeParameter(name, itemIndex, null) as unknown;
}
