import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { binaryItem, readBinary, runNode, type NodeRun } from '../../support/engine/engine.mts';
import { sandboxOfFile } from '../../support/lifetimes.mts';
import { asText } from '../../../harness/unknownJson.mts';

const sandbox = await sandboxOfFile();

const REDLINE = { fileName: 'Redline.md', contentType: 'text/markdown', content: Buffer.from('# Redline') };

async function run(item: INodeExecutionData, parameters: INodeParameters): Promise<NodeRun> {
	return await runNode({ sandbox, items: [item], parameters: { resource: 'question', question: 'Redline it.', ...parameters } });
}

test.each<[string, INodeParameters, downloaded: string | undefined]>([
	['Ask', { operation: 'ask', options: { downloadFiles: true } }, undefined],
	['Ask and Wait', { operation: 'askAndWait', options: { waitUsing: 'sync', downloadFiles: true } }, 'file_0'],
	['Ask and Wait without downloads', { operation: 'askAndWait', options: { waitUsing: 'sync' } }, undefined],
	['Get', { operation: 'get', options: { downloadFiles: true } }, 'file_0'],
	['Wait for Answer', { operation: 'waitForAnswer', options: { downloadFiles: true } }, 'file_0'],
	['Download', { resource: 'file', operation: 'download', downloadFrom: 'question', binaryPropertyName: 'file' }, 'file_0'],
])('%s: the files of the input item stay, beside those that are downloaded', async (_operation, parameters, downloaded) => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 });
	const { json } = await run({ json: {} }, { operation: 'askAndWait', options: { waitUsing: 'sync' } });
	const contract = await binaryItem('The contract');

	const { items, error } = await run({ ...contract, json: { id: asText(json[0]?.id, 'The ID') } }, parameters);

	expect(error).toBeUndefined();
	expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data', ...(downloaded === undefined ? [] : [downloaded])]);
	expect((await readBinary(items[0], 'data')).toString()).toBe('The contract');
	if (downloaded !== undefined) expect(await readBinary(items[0], downloaded)).toEqual(REDLINE.content);
});
