import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from './api/json';
import type { Run } from './operation';

/** A parameter of one item as trimmed text; of a resource locator, its value. Empty where it is not set. */
export function readText({ context }: Run, name: string, itemIndex: number): string {
	const parameter: unknown = context.getNodeParameter(name, itemIndex, '');
	const value = isRecord(parameter) && '__rl' in parameter ? parameter.value : parameter;
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** What to throw where the person has to change something: what it is (by display name), and what to do. */
export function refusal({ context }: Run, itemIndex: number, message: string, description: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), `${message} [item ${itemIndex}]`, { itemIndex, description });
}
