import { join } from 'node:path';

import { afterAll } from 'vitest';

import { freePort } from '../../../harness/n8nProcess.mts';
import { Program } from '../../../harness/program.mts';
import {
	HOUR_MS,
	requireForStores,
	START_TIMEOUT_MS,
	STORED_TYPE,
	storesFolder,
	type StoredFile,
} from './clients.mts';

interface Blob {
	generateSasUrl(options: object): Promise<string>;
	uploadData(content: Buffer, options: object): Promise<unknown>;
	downloadToBuffer(): Promise<Buffer>;
}

interface Container {
	createIfNotExists(): Promise<unknown>;
	getBlockBlobClient(name: string): Blob;
}

const { BlobServiceClient, StorageSharedKeyCredential, ContainerSASPermissions } = requireForStores(
	'@azure/storage-blob',
) as {
	BlobServiceClient: new (
		url: string,
		credential: object,
		options: object,
	) => { getContainerClient(name: string): Container };
	StorageSharedKeyCredential: new (account: string, key: string) => object;
	ContainerSASPermissions: { parse(permissions: string): object };
};

/** The account that Azurite has out of the box; its key is in Microsoft's documentation. */
const account = 'devstoreaccount1';
const key =
	'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** Starts Microsoft's stand-in for Azure Blob Storage for the tests of a file; gives a file behind addresses that its SDK has signed (SAS). */
export async function azuriteOfThisFile(): Promise<(name: string) => StoredFile> {
	const port = String(await freePort());
	const main = join(storesFolder, 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js');
	// Its SDK is newer than it.
	const options = [
		'--inMemoryPersistence',
		'--disableTelemetry',
		'--skipApiVersionCheck',
		'--silent',
		'--blobHost',
		'127.0.0.1',
		'--blobPort',
		port,
	];
	const program = new Program('Azurite', [process.execPath, main, ...options], {
		cwd: storesFolder,
	});
	afterAll(() => program.stop('SIGKILL'));

	const credential = new StorageSharedKeyCredential(account, key);
	const service = new BlobServiceClient(`http://127.0.0.1:${port}/${account}`, credential, {
		retryOptions: { maxTries: 1 },
	});
	const container = service.getContainerClient('contracts');
	await program.ready(
		async () =>
			await container.createIfNotExists().then(
				() => true,
				() => false,
			),
		START_TIMEOUT_MS,
	);
	return (name) => {
		const blob = container.getBlockBlobClient(name);
		const signed = async (letters: string, expired?: string): Promise<string> => {
			const now = Date.now() - (expired === undefined ? 0 : 2 * HOUR_MS);
			const times = { startsOn: new Date(now - HOUR_MS), expiresOn: new Date(now + HOUR_MS) };
			return await blob.generateSasUrl({
				...times,
				permissions: ContainerSASPermissions.parse(letters),
			});
		};
		return {
			putAddress: async (expired) => await signed('cw', expired),
			getAddress: async (expired) => await signed('r', expired),
			write: async (content, blobContentEncoding) => {
				await blob.uploadData(content, {
					blobHTTPHeaders: { blobContentType: STORED_TYPE, blobContentEncoding },
				});
			},
			read: async () => await blob.downloadToBuffer(),
		};
	};
}
