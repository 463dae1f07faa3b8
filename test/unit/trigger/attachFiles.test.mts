import type { INodeExecutionData } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { attachFiles } from '../../../nodes/LegalAi/trigger/attachFiles.ts';
import { nodeWith } from '../execution/runningNode.mts';

const settings = { outputPrefix: 'file_', verifySignature: true };

function answer(changes: object): INodeExecutionData {
	return { json: { id: 'q', status: 'completed', session_id: 's', answer: 'Yes.', ...changes }, pairedItem: { item: 0 } };
}

/** A trigger that n8n runs without a credential, so that none of its files can be fetched. */
function withoutCredential(continueOnFail = false): ReturnType<typeof nodeWith>['context'] {
	const getCredentials = async (): Promise<never> => await Promise.reject(new Error('The credential is gone'));
	return nodeWith(1, { continueOnFail, changes: { getCredentials } }).context;
}

const withFile = { attachments: [{ file_name: 'a.md', url: 'https://files.example.com/a' }] };

test.each([[{}], [{ attachments: null }], [{ attachments: [] }]])('an answer with %j is left as it is, and no credential is read for it', async (changes) => {
	const item = answer(changes);
	expect(await attachFiles(withoutCredential(), item, settings)).toBe(item);
});

describe('an answer whose file can not be fetched', () => {
	const description = async (changes: object): Promise<unknown> => {
		const failure: unknown = await attachFiles(withoutCredential(), answer(changes), settings).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		return (failure as { description?: unknown }).description;
	};

	test('stops the execution, and says that a retry fetches the files', async () => {
		expect(await description(withFile)).toBe(
			'This execution keeps the answer. Retry it from the list of executions within 24 hours to download the files again.',
		);
	});

	test('stops the execution, and says where else the answer can be seen', async () => {
		expect(await description({ ...withFile, session_url: 'https://legal-ai.example.com/s' })).toMatch(
			/to download the files again\. You can also see the answer at https:\/\/legal-ai\.example\.com\/s\.$/,
		);
	});

	test('goes on with what is wrong beside the answer, if errors are to go on', async () => {
		const item = answer(withFile);
		expect(await attachFiles(withoutCredential(true), item, settings)).toEqual({
			...item,
			json: { ...item.json, error: expect.stringContaining('The credential is gone') as unknown },
		});
	});
});
