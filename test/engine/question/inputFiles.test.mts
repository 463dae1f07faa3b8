import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { binaryItem, readBinary, runNode, storeBinary, useBinaryData, type NodeRun } from '../../support/engine/engine.mts';
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

test('files that a node before has downloaded are replaced by those with the same names, unless they get another prefix', async () => {
	sandbox.settings.answer = ({ text }) => ({ status: 'completed', answer: 'Done.', attachments: [{ ...REDLINE, content: Buffer.from(text) }], after: 0 });
	const ask = async (item: INodeExecutionData, question: string, outputPrefix: string): Promise<INodeExecutionData> => {
		const { items } = await run(item, { operation: 'askAndWait', question, options: { waitUsing: 'sync', downloadFiles: true, outputPrefix } });
		return items[0] ?? { json: {} };
	};
	const first = await ask({ json: {} }, 'Redline', 'file_');
	const replaced = await ask(first, 'Letter', 'file_');
	const beside = await ask(first, 'Letter', 'letter_');
	expect(Object.keys(replaced.binary ?? {})).toEqual(['file_0']);
	expect((await readBinary(replaced, 'file_0')).toString()).toBe('Letter');
	expect(Object.keys(beside.binary ?? {})).toEqual(['file_0', 'letter_0']);
	expect((await readBinary(beside, 'file_0')).toString()).toBe('Redline');
});

test('a file that n8n keeps in the JSON of an item stays there, beside those that are downloaded', async () => {
	await useBinaryData('filesystem');
	const contract = await storeBinary('The contract', { fileName: 'contract.pdf' });
	const item = { json: { _files: { contract } } } as unknown as INodeExecutionData;
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 });
	const parameters = { resource: 'question', operation: 'askAndWait', question: 'Redline it.', options: { waitUsing: 'sync', downloadFiles: true } };
	const { json } = await runNode({ sandbox, items: [item], parameters, settings: { binaryMode: 'combined' } });
	expect(json).toMatchObject([{ answer: 'Done.', _files: { contract: { fileName: 'contract.pdf' }, file_0: { fileName: 'Redline.md' } } }]);
});
