import { Readable } from 'node:stream';

import { BinaryDataService } from 'n8n-core';

import { service, useBinaryData } from '../engine/core.mts';

const MODE = 's3';

/**
 * A store that n8n keeps files in by an ID, as it does on disk or in a bucket: a file that is made anew has another ID. It is in memory, since
 * reading from a disk takes real time, in which the stopped clock must not move.
 */
export class FileStore {
	/** The IDs of files in the order in which they were opened. */
	opened: string[] = [];
	#files = new Map<string, Buffer>();

	/** n8n keeps files in a new one, until the test is over. */
	static ofTest() {
		const store = new FileStore();
		const binaryData = service(BinaryDataService);
		const managers = Reflect.get(binaryData, 'managers') as Record<string, unknown>;
		managers[MODE] = store;
		Reflect.set(binaryData, 'mode', MODE);
		onTestFinished(() => useBinaryData('default'));
		return store;
	}

	store = async (_location: unknown, content: Buffer | Readable) => {
		const fileId = `file ${this.#files.size}`;
		const chunks = Buffer.isBuffer(content) ? [content] : ((await content.toArray()) as Buffer[]);
		const bytes = Buffer.concat(chunks);
		this.#files.set(fileId, bytes);
		return { fileId, fileSize: bytes.length };
	};

	copyByFileId = async (location: unknown, fileId: string) =>
		(await this.store(location, this.#get(fileId))).fileId;

	getAsStream = (fileId: string) => {
		this.opened.push(fileId);
		return Promise.resolve(Readable.from([this.#get(fileId)], { objectMode: false }));
	};

	getAsBuffer = (fileId: string) => {
		this.opened.push(fileId);
		return Promise.resolve(this.#get(fileId));
	};

	getMetadata = (fileId: string) => Promise.resolve({ fileSize: this.#get(fileId).length });

	#get(fileId: string) {
		const bytes = this.#files.get(fileId);
		if (bytes === undefined) throw new Error(`There is no ${fileId}`);
		return bytes;
	}
}
