import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';

import type { Route } from '../../sandbox/requests.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { binaryItem, readBinary, useBinaryData } from '../../support/engine/engine.mts';
import { content, MEGABYTE, listRoutes } from '../../support/engine/files.mts';
import { test as base } from '../../support/fixtures.mts';
import { type FileStore, startFileStore, STORED_TYPE } from '../../support/stores/s3.mts';

const test = base.extend<{ fileStore: FileStore }>({
	fileStore: [
		async ({}, use) => {
			const store = await startFileStore();
			await use(store);
			await store.close();
		},
		{ scope: 'file' },
	],
});
beforeEach(() => useBinaryData('filesystem'));

const POST = 'POST /files/upload-url';
const GET_QUESTION = 'GET /assistants/:assistant_id/questions/:question_id';
const BYTES = content(3 * MEGABYTE + 1);
const NAME = 'Vertrag (Entwurf) – ü+&.pdf';

/** Has the service answer the next requests of a route with these. */
function give({ faults }: Sandbox, match: Route, ...answers: IDataObject[]) {
	for (const body of answers) faults.add({ status: 200, body, match });
}

const ANSWER = {
	id: 'q',
	session_id: 's',
	session_url: null,
	status: 'completed',
	answer: 'So.',
	reason: null,
};

const download = { downloadFrom: 'question', questionId: 'q' };

describe('a real file store', () => {
	test('takes an upload byte for byte, after its first address has expired', async ({
		fileStore,
		service,
		run,
	}) => {
		for (const name of ['plain.pdf', NAME]) {
			const file = fileStore.fileAt(`uploads/${name}`);
			const addresses = [file.putAddress('expired'), file.putAddress()];
			const answers = addresses.map((upload_url, index) => ({
				upload_url,
				job_id: `job-${index}`,
				content_type: STORED_TYPE,
			}));
			give(service, POST, ...answers);
			const { json } = await run('file.upload', {}, { items: [await binaryItem(BYTES)] });
			expect(json).toMatchObject([{ job_id: 'job-1', content_length: BYTES.length }]);
			expect((await file.read()).equals(BYTES)).toBe(true);
		}
		expect(listRoutes(service)).toEqual([POST, POST, POST, POST]);
	});

	test('gives a file byte for byte, after its first address has expired', async ({
		fileStore,
		service,
		run,
	}) => {
		for (const bytes of [BYTES, Buffer.from(''), gzipSync(BYTES)]) {
			const isPacked = bytes.subarray(0, 2).toString('hex') === '1f8b';
			const file = fileStore.fileAt(`generated/${bytes.length} ${NAME}`);
			await file.write(bytes, isPacked ? 'gzip' : undefined);
			const addresses = [file.getAddress('expired'), file.getAddress()];
			const answers = addresses.map((url) => ({
				...ANSWER,
				attachments: [
					{ file_name: NAME, content_type: STORED_TYPE, content_length: bytes.length, url },
				],
			}));
			give(service, GET_QUESTION, ...answers);
			const { items } = await run('file.download', download);
			expect((await readBinary(items[0], 'data_0')).equals(isPacked ? BYTES : bytes)).toBe(true);
		}
		expect(listRoutes(service)).toEqual(Array(6).fill(GET_QUESTION));
	});
});
