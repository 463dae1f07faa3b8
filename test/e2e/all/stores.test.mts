import { gzipSync } from 'node:zlib';

import type { IDataObject } from 'n8n-workflow';
import { describe, expect } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { binaryItem, readBinary, useBinaryData } from '../../support/engine/engine.mts';
import { content, MEGABYTE, routesOf } from '../../support/engine/files.mts';
import { sandboxTest } from '../../support/fixtures.mts';
import { azuriteOfThisFile } from '../../support/stores/azurite.mts';
import { STORED_TYPE, type StoredFile } from '../../support/stores/clients.mts';
import { slowLineOfTest } from '../../support/stores/slowLine.mts';
import { swiftOfThisFile } from '../../support/stores/swift.mts';

const azureFile = await azuriteOfThisFile();
const swift = await swiftOfThisFile();
await useBinaryData('filesystem');
const test = sandboxTest();

const POST = 'POST /files/upload-url';
const GET_QUESTION = 'GET /assistants/:assistant_id/questions/:question_id';
const BYTES = content(3 * MEGABYTE + 1);
const NAME = 'Vertrag (Entwurf) – ü+&.pdf';

/** A store, how its addresses are signed, and its own words once one has expired. */
const STORES: readonly [name: string, fileOf: (name: string) => StoredFile, words: string][] = [
	['Swift, S3 (SigV4)', (name) => swift.s3File(name), '(403): AccessDenied: Request has expired'],
	[
		'Swift, TempURL',
		(name) => swift.tempUrlFile(name),
		'(401): 401 Unauthorized: Temp URL invalid',
	],
	[
		'Azurite, SAS',
		(name) => azureFile(name),
		'(403): AuthorizationFailure: Server failed to authenticate the request',
	],
];
/** Azure wants a header, `x-ms-blob-type`, that the service's specification does not know. */
const TAKING_UPLOADS = STORES.slice(0, 2);

/** Has the service give these addresses for uploads, one after the other, the last of them from then on. */
function giveForUploads({ faults }: Sandbox, ...addresses: string[]): void {
	for (const [index, upload_url] of addresses.entries()) {
		const body = JSON.stringify({ upload_url, job_id: `job-${index}`, content_type: STORED_TYPE });
		faults.add({
			kind: 'body',
			body,
			match: POST,
			times: index + 1 === addresses.length ? Infinity : 1,
		});
	}
}

/** Has the service give these addresses for a file of an answer, in the same way. */
function giveForDownloads(
	{ faults }: Sandbox,
	content_length: number,
	...addresses: string[]
): void {
	for (const [index, url] of addresses.entries()) {
		const attachments = [{ file_name: NAME, content_type: STORED_TYPE, content_length, url }];
		const body: IDataObject = {
			id: 'q',
			session_id: 's',
			session_url: null,
			status: 'completed',
			answer: 'So.',
			attachments,
			reason: null,
		};
		faults.add({
			kind: 'status',
			status: 200,
			body,
			match: GET_QUESTION,
			times: index + 1 === addresses.length ? Infinity : 1,
		});
	}
}

const download = { downloadFrom: 'question', questionId: 'q' };

describe('a real file store', () => {
	test.for(TAKING_UPLOADS)(
		'takes an upload byte for byte, after its first address has expired: %s',
		async ([, fileOf], { sandbox, run }) => {
			for (const name of ['plain.pdf', NAME]) {
				const file = fileOf(`uploads/${name}`);
				sandbox.faults.clear();
				giveForUploads(sandbox, await file.putAddress('expired'), await file.putAddress());
				const { json } = await run('file.upload', {}, { items: [await binaryItem(BYTES)] });
				expect(json).toMatchObject([{ job_id: 'job-1', content_length: BYTES.length }]);
				expect((await file.read()).equals(BYTES)).toBe(true);
			}
			expect(routesOf(sandbox)).toEqual([POST, POST, POST, POST]);
		},
	);

	test.for(STORES)(
		'gives a file byte for byte, after its first address has expired: %s',
		async ([, fileOf], { sandbox, run }) => {
			for (const bytes of [BYTES, Buffer.from(''), gzipSync(BYTES)]) {
				const isPacked = bytes.subarray(0, 2).toString('hex') === '1f8b';
				const file = fileOf(`generated/${bytes.length} ${NAME}`);
				await file.write(bytes, isPacked ? 'gzip' : undefined);
				sandbox.faults.clear();
				giveForDownloads(
					sandbox,
					bytes.length,
					await file.getAddress('expired'),
					await file.getAddress(),
				);
				const { items } = await run('file.download', download);
				expect((await readBinary(items[0], 'data_0')).equals(isPacked ? BYTES : bytes)).toBe(true);
			}
			expect(routesOf(sandbox)).toEqual(Array(6).fill(GET_QUESTION));
		},
	);

	test.for(TAKING_UPLOADS)(
		'says in its own words that each address for an upload has expired: %s',
		async ([, fileOf, words], { sandbox, run }) => {
			giveForUploads(sandbox, await fileOf('expired.pdf').putAddress('expired'));
			const { error } = await run('file.upload', {}, { items: [await binaryItem('%PDF')] });
			expect(error?.message).toContain(`did not accept "contract.pdf" ${words}`);
			expect(routesOf(sandbox)).toEqual([POST, POST]);
		},
	);

	test.for(STORES)(
		'says in its own words that each address of a file has expired: %s',
		async ([, fileOf, words], { sandbox, run }) => {
			giveForDownloads(sandbox, 0, await fileOf('expired.pdf').getAddress('expired'));
			const { error } = await run('file.download', download);
			expect(error?.message).toContain(`available at this address ${words}`);
			expect(routesOf(sandbox)).toEqual([GET_QUESTION, GET_QUESTION]);
		},
	);

	test('of Azure takes no plain upload, at a second address neither', async ({ sandbox, run }) => {
		giveForUploads(sandbox, await azureFile('upload.pdf').putAddress());
		const { error } = await run('file.upload', {}, { items: [await binaryItem('%PDF')] });
		expect(error?.message).toContain('did not accept "contract.pdf" (400)');
		expect(routesOf(sandbox)).toEqual([POST, POST]);
	});
});

test('an upload that gets stuck on a slow line is repeated at its address, although the store answers with 400 RequestTimeout', async ({
	sandbox,
	run,
}) => {
	const line = await slowLineOfTest(swift.port, MEGABYTE);
	const file = swift.s3File('slow.pdf', line.port);
	giveForUploads(sandbox, await file.putAddress());
	await run('file.upload', {}, { items: [await binaryItem(BYTES)] });
	expect((await file.read()).equals(BYTES)).toBe(true);
	expect(line.connections()).toBe(2);
	expect(routesOf(sandbox)).toEqual([POST]);
});
