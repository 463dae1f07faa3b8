import type { IExecuteFunctions, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { itemScopeOf, rawValuesOf } from '../../../nodes/LegalAi/execution/itemScope.ts';
import type { ItemScope } from '../../../nodes/LegalAi/parameters/parameter.ts';

const contract = { mimeType: 'application/pdf', data: '', fileName: 'contract.pdf' };
const annex = { mimeType: 'application/pdf', data: '', fileName: 'annex.pdf' };

/** What is known of the second item of a workflow. */
function scopeOf(item: INodeExecutionData | undefined, binaryMode?: IWorkflowSettings['binaryMode']): ItemScope {
	const items = item === undefined ? [] : [{ json: {} }, item];
	const context = { getInputData: () => items, getTimezone: () => 'Europe/Berlin', getWorkflowSettings: () => ({ binaryMode }) };
	return itemScopeOf(context as unknown as IExecuteFunctions, 1);
}

test('an item is known with its JSON, its files and the time zone of the workflow', () => {
	const item = { json: { id: 'q' }, binary: { data: contract } };
	expect(scopeOf(item)).toMatchObject({ timezone: 'Europe/Berlin', json: { id: 'q' }, files: { data: contract } });
});

test('files in the JSON are known where the workflow keeps them there, beside those that are not', () => {
	const item = { json: { _files: { annex, title: 'Annex', none: null } }, binary: { data: contract } };
	expect(scopeOf(item, 'combined').files).toEqual({ data: contract, annex });
	expect(scopeOf(item, 'separate').files).toEqual({ data: contract });
	expect(item.binary).toEqual({ data: contract });
});

test.each([[undefined], [null], ['annex'], [[annex]]])('%j in the place of files in the JSON is none', (inJson) => {
	const json = inJson === undefined ? {} : { _files: inJson };
	expect(scopeOf({ json }, 'combined').files).toEqual({});
});

test('of an item that is not there nothing is known', () => {
	expect(scopeOf(undefined)).toMatchObject({ timezone: 'Europe/Berlin', json: {}, files: {} });
});

test('a parameter has the value of its item, and null where n8n does not show it', () => {
	const getNodeParameter = (...asked: unknown[]): unknown => asked;
	expect(rawValuesOf({ getNodeParameter } as unknown as IExecuteFunctions, 3)('question')).toEqual(['question', 3, null]);
});
