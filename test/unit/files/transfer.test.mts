import { PassThrough, Readable } from 'node:stream';

import type { LegalAiClient } from '../../../nodes/LegalAi/api/client.ts';
import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { identifyFile, inspectFile } from '../../../nodes/LegalAi/files/inputFile.ts';
import {
	fetchFile,
	fetchGeneratedFiles,
	uploadFile,
} from '../../../nodes/LegalAi/files/transfer.ts';

const MEGABYTE = 1024 * 1024;
const PDF = 'application/pdf';
const REMOTE = 'https://legal-ai.example.com/api/v1';

/** A store of n8n with one file in it, whose bytes are given as characters. */
const createStore = (bytes: string, fileSize = bytes.length) => ({
	getBinaryMetadata: () => Promise.resolve({ fileSize }),
	getBinaryStream: () => Promise.resolve(Readable.from([Buffer.from(bytes, 'latin1')])),
	prepareBinaryData: () => Promise.reject(new Error('Nothing is to be stored')),
});

describe('a file to be sent', () => {
	test.each<[string, object, object, string, string]>([
		['', { fileName: 'NDA.PDF ' }, {}, 'NDA.PDF', PDF],
		['', { fileName: 'notes.txt', fileExtension: 'pdf' }, {}, 'notes.txt', 'text/plain'],
		['', { fileName: 'notes.md', mimeType: 'text/plain' }, {}, 'notes.md', 'text/markdown'],
		['', { fileName: '', mimeType: PDF }, {}, 'scan.pdf', PDF],
		['', { fileName: 'a.pdf' }, { fileName: 'b.pdf' }, 'b.pdf', PDF],
		['%PDF-1.7\n', { fileName: 'Google Doc.docx' }, {}, 'Google Doc.pdf', PDF],
		[
			'%PDF',
			{ fileName: 'a.docx' },
			{ contentType: 'text/x-odd; a=b' },
			'a.docx',
			'text/x-odd; a=b',
		],
	])(
		'that begins with %j and is %j, sent with %j, is called %s, and is %s',
		async (bytes, described, overrides, fileName, contentType) => {
			const mimeType = 'application/octet-stream';
			const sent = { fileName, contentType, contentLength: bytes.length };
			for (const where of [
				{ id: 'filesystem:1', data: 'filesystem' },
				{ data: Buffer.from(bytes, 'latin1').toString('base64') },
			]) {
				const file = { fieldName: 'scan', binary: { mimeType, ...where, ...described } };
				expect(await inspectFile(createStore(bytes), file, overrides)).toMatchObject(sent);
			}
		},
	);

	const base64 = Buffer.from('%PDF-1.7').toString('base64');

	test.each<[object, string]>([
		[{ fileName: 'NDA.pdf' }, 'NDA.pdf'],
		[{}, 'scan.pdf'],
		[{ fileName: 7, mimeType: 7, fileExtension: 7, id: 7 }, 'scan.pdf'],
		[{ fileName: {}, mimeType: [], fileExtension: null, id: null }, 'scan.pdf'],
		[{ data: base64.replace(/.{4}/g, '$&\r\n'), id: '' }, 'scan.pdf'],
	])('that a Code node has made, %j, is called %s', async (made, fileName) => {
		const binary = { data: base64, ...made };
		const file = await inspectFile(createStore(''), { fieldName: 'scan', binary });
		expect(file).toMatchObject({ fileName, contentType: PDF, contentLength: 8 });
		expect(await file.open()).toEqual(Buffer.from('%PDF-1.7'));
	});

	test.each([
		...[null, undefined, 'text', 7, [], {}].map((binary) => [binary]),
		...[
			null,
			{ type: 'Buffer', data: [37] },
			'Dear Sir, please sign.',
			'%PDF-1.7',
			'data:application/pdf;base64,JVBERi0xLjc=',
			'filesystem',
			'filesystem-v2',
			's3',
			'database',
		].map((data) => [{ data, mimeType: PDF }]),
	])('%j has no content, and the error names its field', async (binary) => {
		await expect(inspectFile(createStore(''), { fieldName: 'scan', binary })).rejects.toThrow(
			'The file in "scan" has no content that n8n can read',
		);
	});

	test.each(['s3AA', 'AAs3'])(
		'may have data that has the name of a store in it: %s',
		async (data) => {
			const file = { fieldName: 'scan', binary: { data, mimeType: PDF } };
			expect(await inspectFile(createStore(''), file)).toMatchObject({ contentLength: 3 });
		},
	);

	test('of more than 50 MB is rejected', async () => {
		const binary = { id: 'filesystem:1', data: '', fileName: 'NDA.pdf' };
		const store = createStore('', 50 * MEGABYTE + 1);
		await expect(inspectFile(store, { fieldName: 'scan', binary })).rejects.toThrow(
			'is 50.1 MB, but the limit is 50 MB',
		);
	});
});

/** A client of the service at an address whose requests for files all get the same answer or code of a failure, and what was asked and sent. */
function clientAt(
	baseUrl: string,
	outcome: number | string = 404,
	readsAll = false,
	headers: object = {},
) {
	const [asked, sent]: [unknown[], unknown[]] = [[], []];
	let jobs = 0;
	const client = {
		baseUrl: new URL(baseUrl),
		request: () => Promise.resolve({ id: `job-${(jobs += 1)}`, url: `${baseUrl}/${jobs}` }),
		transfer: async (details: object, send: () => Promise<unknown>) =>
			await send().catch((error: unknown) => {
				throw error instanceof ApiError ? error.with(details) : error;
			}),
		anonymous: async ({ url, body: given }: { url: string; body?: unknown }) => {
			asked.push(url);
			sent.push(given);
			if (readsAll && given instanceof Readable) await given.toArray();
			const body = Readable.from([Buffer.from('No.')]);
			return typeof outcome === 'number'
				? Promise.resolve({ statusCode: outcome, headers, body })
				: Promise.reject(Object.assign(new Error('odd'), { code: outcome }));
		},
	} as unknown as LegalAiClient;
	return { client, asked, sent, jobs: () => jobs };
}

describe('the address of a file', () => {
	const [remote, local, inside] = [
		REMOTE,
		'http://127.0.0.1:8787/api/v1',
		'https://10.0.0.5/api/v1',
	];
	const nearby = ['https://localhost/a', 'https://0.0.0.0/a', 'https://[::ffff:127.0.0.1]/a'];
	const metadata = ['https://169.254.169.254/a', 'https://[fe80::1]/a'];
	const others = [
		'https://files.example/a?signature=b',
		'https://10.0.0.1/a',
		'https://storage/a',
		'https://[fd00::1]/a',
	];

	test.each<['service' | 'outside', string, string[], string[]]>([
		['service', remote, [...others, ...nearby, ...metadata], ['http://localhost/a']],
		['service', inside, [...others, ...nearby, ...metadata], ['http://localhost/a']],
		['service', local, [...others, ...nearby, 'http://localhost/a'], ['http://10.0.0.5/a']],
		['outside', remote, others, [...nearby, ...metadata, 'http://127.0.0.1/a']],
		['outside', inside, others, [...nearby, ...metadata, 'http://127.0.0.1/a']],
		['outside', local, [...others, ...nearby, 'http://localhost/a'], metadata],
	])(
		'given by the %s, for a service at %s, may be any of %j and none of %j',
		async (from, baseUrl, allowed, forbidden) => {
			const { client, asked } = clientAt(baseUrl);
			const never = [
				'http://files.example/a',
				'ftp://files.example/a',
				'file:///etc/passwd',
				'',
				'a/b',
			];
			for (const url of [...allowed, ...forbidden, ...never]) {
				await expect(fetchFile(client, createStore(''), { url }, 1, from)).rejects.toThrow(
					allowed.includes(url) ? 'rejected' : 'addressNotAllowed',
				);
			}
			expect(asked).toEqual(allowed.map((url) => new URL(url).href));
		},
	);
});

test.each<[string, (number | string)[], string, number]>([
	['rejects', [400, 401, 403, 404, 409, 410, 422, 451], 'rejected', 2],
	['finds too large', [413], 'rejected', 1],
	['redirects', [300, 307], 'redirected', 1],
	['is too busy for', [408, 429, 500, 503], 'outcomeUnknown', 1],
	['breaks off', ['ECONNRESET'], 'outcomeUnknown', 2],
	['is too slow for', ['ETIMEDOUT'], 'outcomeUnknown', 1],
])(
	'a storage that %s an upload, with any of %j, makes it fail as %s, at %i addresses, as those may have expired',
	async (_what, outcomes, kind, addresses) => {
		for (const outcome of outcomes) {
			const { client, asked, jobs } = clientAt(REMOTE, outcome);
			const open = () => Promise.resolve(Buffer.from(''));
			const file = { fileName: 'a.pdf', contentType: PDF, contentLength: 0, open };
			const error = { kind, details: { fileName: 'a.pdf' } };
			await expect(uploadFile(client, file)).rejects.toMatchObject(error);
			expect([asked.length, jobs()]).toEqual([addresses, addresses]);
		}
	},
);

describe('the identity of a file', () => {
	/** A file whose bytes are read as a stream, and how often it was opened. */
	const createFile = (bytes: string, more: object = {}) => {
		const open = vi.fn(() => Promise.resolve(Readable.from([Buffer.from(bytes)])));
		return { fileName: 'a.pdf', contentType: PDF, contentLength: bytes.length, ...more, open };
	};

	test('is told by its name, its type and its bytes', async () => {
		const files = [
			createFile('One'),
			createFile('One'),
			createFile('Two'),
			createFile('One', { fileName: 'b.pdf' }),
			createFile('One', { contentType: 'text/plain' }),
		];
		const [first, same, ...others] = await Promise.all(files.map(identifyFile));
		expect(same).toBe(first);
		expect(new Set([first, ...others]).size).toBe(4);
	});

	test('is known from its upload, which reads it once', async () => {
		const { client } = clientAt(REMOTE, 200, true);
		const file = createFile('One');
		await uploadFile(client, file);
		expect(await identifyFile(file)).toBe(await identifyFile(createFile('One')));
		expect(file.open).toHaveBeenCalledTimes(1);
	});

	test('is not taken from an upload that was accepted before all of it was read', async () => {
		const { client } = clientAt(REMOTE, 200);
		const file = createFile('One');
		await uploadFile(client, file);
		expect(await identifyFile(file)).toBe(await identifyFile(createFile('One')));
	});

	test('of a file whose store is slow keeps no other file waiting', async () => {
		const body = new PassThrough();
		const slow = identifyFile({ ...createFile('slow'), open: () => Promise.resolve(body) });
		const files = Array.from({ length: 12 }, (_, index) => createFile(`${index}`));
		const identities = await Promise.all(files.map(identifyFile));
		expect(new Set(identities).size).toBe(12);
		body.end('slow');
		expect(await slow).toEqual(expect.any(String));
	});

	test('is read from at most four files at once in a process', async () => {
		let [opened, most] = [0, 0];
		const files = Array.from({ length: 20 }, () => ({
			...createFile('One'),
			open: async () => {
				most = Math.max(most, (opened += 1));
				await new Promise(setImmediate);
				const stream = Readable.from([Buffer.from('One')]);
				stream.on('end', () => (opened -= 1));
				return stream;
			},
		}));
		await Promise.all(files.map(identifyFile));
		expect(most).toBe(4);
	});
});

describe('an upload that is redirected', () => {
	/** A client whose storage redirects to these addresses, one after the other, and then accepts; and what it was sent where. */
	function redirectingClient(status: number, ...targets: string[]) {
		const sent: string[] = [];
		const anonymous = async ({ url, body }: { url: string; body: Readable }) => {
			const location = targets[sent.length];
			sent.push(`${url} ${Buffer.concat(await body.toArray()).toString()}`);
			const answer = Readable.from([Buffer.from('')]);
			return location === undefined
				? { statusCode: 200, headers: {}, body: answer }
				: { statusCode: status, headers: { location }, body: answer };
		};
		const client = Object.assign(clientAt(REMOTE).client, { anonymous });
		return { client, sent };
	}
	const open = () => Promise.resolve(Readable.from([Buffer.from('One')]));
	const file = () => ({ fileName: 'a.pdf', contentType: PDF, contentLength: 3, open });

	test.each([307, 308])('with %i is sent whole to where that leads', async (status) => {
		const { client, sent } = redirectingClient(status, 'https://eu.example/a', '/b');
		await uploadFile(client, file());
		expect(sent).toEqual([
			`${REMOTE}/1 One`,
			'https://eu.example/a One',
			'https://eu.example/b One',
		]);
	});

	test.each([
		['to http', 307, 'http://files.example/a', 'addressNotAllowed'],
		['with 303, which would make it another request', 303, 'https://eu.example/a', 'redirected'],
	])('%s is not sent there', async (_what, status, target, kind) => {
		const { client, sent } = redirectingClient(status, target);
		await expect(uploadFile(client, file())).rejects.toMatchObject({ kind });
		expect(sent).toEqual([`${REMOTE}/1 One`]);
	});

	test('again and again is an error', async () => {
		const { client } = redirectingClient(307, '/1', '/2', '/3', '/4', '/5');
		await expect(uploadFile(client, file())).rejects.toMatchObject({ kind: 'redirected' });
	});
});

test('a file that n8n has lost since it was checked fails with what its store says', async () => {
	const open = () => Promise.reject(new Error('No such file'));
	const file = { fileName: 'a.pdf', contentType: PDF, contentLength: 3, open };
	await expect(uploadFile(clientAt(REMOTE).client, file)).rejects.toThrow('No such file');
});

test('the files of an answer whose links have expired fail if the service no longer has all of them', async () => {
	const attachments = [{ url: 'https://files.example/a' }];
	const question = {
		...{ id: 'job-1', assistant_id: 'default', status: 'completed', answer: null },
		attachments,
	};
	await expect(
		fetchGeneratedFiles(clientAt(REMOTE).client, createStore(''), question, 'file_', 1),
	).rejects.toThrow('rejected');
});

test.each([
	[200, 1],
	[300, 4],
	[399, 4],
	[400, 1],
])(
	'a response with %i and an address is followed, or not, so that a file is asked for %i times',
	async (status, times) => {
		const { client, asked } = clientAt(REMOTE, status, false, { location: 'https://b.example' });
		const file = { url: 'https://files.example/a.pdf' };
		await fetchFile(client, createStore(''), file, 1, 'outside').catch(() => undefined);
		expect(asked).toHaveLength(times);
	},
);

test('a file of exactly the size that is allowed is stored', async () => {
	const prepareBinaryData = async (body: unknown) => {
		const bytes = Buffer.concat(await (body as Readable).toArray());
		return { data: bytes.toString(), mimeType: PDF };
	};
	const { client } = clientAt(REMOTE, 200);
	const file = { url: 'https://files.example/a.pdf' };
	const store = { ...createStore(''), prepareBinaryData };
	const stored = await fetchFile(client, store, file, 3 / MEGABYTE, 'service');
	expect(stored.data).toBe('No.');
	await expect(fetchFile(client, store, file, 2 / MEGABYTE, 'service')).rejects.toThrow();
});

test('a file that is announced as too large is not stored', async () => {
	const storing = async (content_length: number) => {
		const file = { url: 'https://files.example/a', content_length };
		return await fetchFile(clientAt(REMOTE, 200).client, createStore(''), file, 1, 'service');
	};
	await expect(storing(MEGABYTE + 1)).rejects.toThrow('fileTooLarge');
	await expect(storing(MEGABYTE)).rejects.toThrow('Nothing is to be stored');
});

test('no file is held in memory: a stored one is sent as a stream of its store, closed afterwards, and a fetched one is stored as a stream', async () => {
	const { client, sent } = clientAt(REMOTE, 200);
	const opened = Readable.from([Buffer.from('abc')]);
	const kept: unknown[] = [];
	const store = {
		...createStore('abc'),
		getBinaryStream: () => Promise.resolve(opened),
		prepareBinaryData: (data: unknown) => {
			kept.push(data);
			return Promise.resolve({ data: '', mimeType: PDF });
		},
	};
	const open = () => store.getBinaryStream();
	const file = { fileName: 'a.pdf', contentType: PDF, contentLength: 3, open };
	expect(await uploadFile(client, file)).toBe('job-1');
	expect(sent).toEqual([expect.any(Readable)]);
	expect(opened.destroyed).toBe(true);

	await fetchFile(client, store, { url: 'https://files.example/a' }, 1, 'service');
	expect(kept).toEqual([expect.any(Readable)]);
});
