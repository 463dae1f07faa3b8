import type { INodePropertyOptions } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { defineOperation, type Operation } from '../../../nodes/LegalAi/execution/operation.ts';
import { text } from '../../../nodes/LegalAi/parameters/text.ts';
import { nodeWith } from './runningNode.mts';

const sessions = ['s', 'other', 's'];
const parameters = { session: text({ displayName: 'Session', name: 'session' }) };

/** An operation whose items output what has been begun before they end. */
function operationWith({ option = { name: 'Look', value: 'look' }, ...more }: { option?: INodePropertyOptions; toolDescription?: string; concurrencyKey?: (values: { session: string | undefined }) => string | undefined }): Operation {
	const begun: number[] = [];
	return defineOperation({
		option,
		parameters,
		prepare: (_services, { session }) => `in ${session ?? 'none'}`,
		execute: async ({ itemIndex }, { session }, prepared) => {
			begun.push(itemIndex);
			await new Promise(setImmediate);
			return [{ json: { session, prepared, begun: [...begun] } }];
		},
		...more,
	});
}

/** What an operation outputs for an item of each session. */
async function outputOf({ run }: Operation): Promise<unknown> {
	const getNodeParameter = (name: string, itemIndex: number): unknown => (name === 'session' ? sessions[itemIndex] : undefined);
	const [output = []] = await run(nodeWith(sessions.length, { changes: { getNodeParameter } }).context);
	return output.map(({ json }) => json);
}

describe('an operation', () => {
	test('makes of each item its output, all at once', async () => {
		const begun = [0, 1, 2];
		expect(await outputOf(operationWith({}))).toEqual([
			{ session: 's', prepared: 'in s', begun },
			{ session: 'other', prepared: 'in other', begun },
			{ session: 's', prepared: 'in s', begun },
		]);
	});

	test('takes those with the same key one after the other', async () => {
		expect(await outputOf(operationWith({ concurrencyKey: ({ session }) => session }))).toMatchObject([
			{ begun: [0, 1] },
			{ begun: expect.arrayContaining([0, 1]) as unknown },
			{ begun: [0, 1, 2] },
		]);
	});

	test.each([
		[{ toolDescription: 'For a model.' }, 'For a model.'],
		[{}, 'For the list.'],
	])('with %j tells an AI agent: %s', (more, told) => {
		const option = { name: 'Look', value: 'look', description: 'For the list.' };
		expect(operationWith({ option, ...more }).toolDescription).toBe(told);
	});

	test('that says nothing of itself tells an AI agent nothing', () => {
		expect(operationWith({}).toolDescription).toBe('');
	});

	test('shows the fields of its parameters', () => {
		expect(operationWith({}).properties).toEqual(parameters.session.properties);
	});
});
