import type { INodeProperties } from 'n8n-workflow';

import { isRecord, type JsonRecord } from '../../api/json';
import type { Run } from '../../operation';
import { readText, refusal } from '../../parameters';
import { Unusable, type Reader } from './values';

/** A field as the editor shows it, and how its value gets to the API. */
export interface Field {
	apiName: string;
	property: INodeProperties;
	read: Reader;
}

/** A collection that offers these fields. */
export function collectionOf(
	collection: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder'>,
	fields: Field[],
): INodeProperties {
	return { ...collection, type: 'collection', default: {}, options: fields.map(({ property }) => property) };
}

/**
 * Reads a collection as a JSON object with the API's names. It has the fields that were set to something, and
 * no others.
 *
 * @throws {NodeOperationError} where a value is not what the field takes
 */
export function readCollection(run: Run, itemIndex: number, name: string, fields: Field[]): JsonRecord {
	const collection: unknown = run.context.getNodeParameter(name, itemIndex, {});
	const given = isRecord(collection) ? collection : {};
	const body: JsonRecord = {};
	for (const { apiName, property, read } of fields) {
		const value = read(given[property.name], run.context.getTimezone());
		if (value instanceof Unusable) {
			throw refusal(run, itemIndex, `'${property.displayName}' ${value.reason}`, value.advice);
		}
		if (value !== undefined) body[apiName] = value;
	}
	return body;
}

/**
 * The task that an item is about.
 *
 * @throws {NodeOperationError} where none is chosen
 */
export function readTaskId(run: Run, itemIndex: number): string {
	const taskId = readText(run, 'taskId', itemIndex);
	if (taskId !== '') return taskId;
	throw refusal(
		run,
		itemIndex,
		"'Task' is empty",
		"Choose a task from the list, or enter its ID. If it comes from an earlier node, check that the field has a value, e.g. {{ $json.id }}.",
	);
}
