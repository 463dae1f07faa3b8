import { createHash } from 'node:crypto';
import { invalidParameter } from '../errors.mts';
import type { Place } from './taskOrder.mts';

/** An opaque cursor: the place of the last task shown and the page size it was issued with. */
export function writeCursor(place: Place, limit: number): string {
	const content = [...place.map(String), limit].join('_');
	return Buffer.from(`${checksum(content)}${content}`).toString('base64url');
}

/** The place that a cursor stands for; 400 if it was not issued here, or with another page size. */
export function readCursor(cursor: string, limit: number): Place {
	const text = Buffer.from(cursor, 'base64url').toString();
	const content = text.slice(CHECKSUM_DIGITS);
	const [rank, due, sequence, issuedWith] = content.split('_');
	if (issuedWith === undefined || checksum(content) !== text.slice(0, CHECKSUM_DIGITS)) {
		throw invalidParameter('cursor is malformed');
	}
	if (Number(issuedWith) !== limit) throw invalidParameter('limit must be the one that the cursor was issued with');
	return [Number(rank), due === 'null' ? null : Number(due), Number(sequence)];
}

const CHECKSUM_DIGITS = 12;

function checksum(content: string): string {
	return createHash('sha256').update(`task cursor ${content}`).digest('hex').slice(0, CHECKSUM_DIGITS);
}
