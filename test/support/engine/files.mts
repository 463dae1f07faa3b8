import { createHash } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/sandbox.mts';

export const MEGABYTE = 1024 * 1024;

/** Bytes that no mistake in their order leaves unseen: every four of them tell their place. */
export function content(length: number): Buffer {
	const words = new Uint32Array(Math.ceil(length / 4)).map((_, index) =>
		Math.imul(index + 1, 2654435761),
	);
	return Buffer.from(words.buffer, 0, length);
}

export function sha256(bytes: Buffer) {
	return createHash('sha256').update(bytes).digest('hex');
}

/** The routes of the service that were called, in order. */
export function listRoutes(service: Sandbox): string[] {
	return service.requests.map(({ route }) => route);
}

/** A field of an item's JSON that has to be text. */
export function readText(item: INodeExecutionData | undefined, field: string) {
	const value = item?.json[field];
	if (typeof value !== 'string')
		throw new TypeError(`No text in '${field}' of ${JSON.stringify(item?.json)}`);
	return value;
}
