import { Readable } from 'node:stream';

import { describe, expect, test } from 'vitest';

import type { Question } from '../../../nodes/LegalAi/api/questions.ts';
import { fetchGeneratedFiles } from '../../../nodes/LegalAi/files/download.ts';
import { clientOf, storeWith, type Storage } from './fakeStorage.mts';

const EXPIRED = '/expired';

/** A file of an answer: its name, how many bytes it has, and where it is. */
const file = (file_name: string, content_length: number, path = `/${file_name}/${content_length}`): object => ({
	file_name,
	content_type: 'text/plain',
	content_length,
	url: `https://files.example.com${path}`,
});

/** Fetches the files of an answer, each as many bytes as its address ends with; and which addresses were asked. */
async function fetchAll(
	attachments: object[],
	service: Storage = () => ({ statusCode: 500 }),
): Promise<{ names: (string | undefined)[]; fields: string[]; sizes: unknown[]; asked: string[] }> {
	const asked: string[] = [];
	const client = clientOf(
		({ url }) => {
			const { pathname } = new URL(url);
			asked.push(pathname);
			if (pathname === EXPIRED) return { statusCode: 403, body: Readable.from(['']) };
			return { statusCode: 200, body: Readable.from([Buffer.alloc(Number(pathname.split('/').pop()))]) };
		},
		{ service },
	);
	const question = { id: 'q', assistant_id: 'default', session_id: 's', session_url: null, status: 'completed', answer: 'So.', reason: null, attachments };
	const fetched = await fetchGeneratedFiles(client, storeWith(Readable.from([])), question satisfies Question, 'file_', 1);
	const files = Object.values(fetched);
	return { names: files.map(({ fileName }) => fileName), sizes: files.map(({ bytes }) => bytes), fields: Object.keys(fetched), asked };
}

describe("an answer's files", () => {
	test('come in its order, each fetched once, also if some look alike', async () => {
		const { fields, names, asked } = await fetchAll([file('a.txt', 1), file('b.txt', 2), file('a.txt', 1, '/again/1')]);
		expect(fields).toEqual(['file_0', 'file_1', 'file_2']);
		expect(names).toEqual(['a.txt', 'b.txt', 'a.txt']);
		expect(asked.toSorted()).toEqual(['/a.txt/1', '/again/1', '/b.txt/2']);
	});

	test('that have one name are told by their size when a link is renewed', async () => {
		const fresh = [file('a.txt', 2, '/fresh/2'), file('a.txt', 1, '/fresh/1')];
		const body = JSON.stringify({ id: 'q', status: 'completed', attachments: fresh });
		const { sizes, asked } = await fetchAll([file('a.txt', 1, EXPIRED), file('a.txt', 2)], () => ({ statusCode: 200, body }));
		expect(sizes).toEqual([1, 2]);
		expect(asked.toSorted()).toEqual(['/a.txt/2', EXPIRED, '/fresh/1']);
	});

	test("whose links have expired fail with what the storage said, if the question can't be fetched either", async () => {
		const fetched = fetchAll([file('a.txt', 1, EXPIRED)], () => ({ statusCode: 404, body: '{}' }));
		await expect(fetched).rejects.toMatchObject({ details: { subject: 'download', status: 403, fileName: 'a.txt' } });
	});
});
