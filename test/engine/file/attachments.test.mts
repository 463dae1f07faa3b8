import type { IBinaryKeyData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	ASK,
	content,
	like,
	MEGABYTE,
	listRoutes,
	type Sandbox,
	sha256,
	someText,
	storeBinary,
	test,
	readText,
	textWith,
	useBinaryData,
} from '../../support/fixtures.mts';
beforeEach(() => useBinaryData('default'));

/** The fields of a question with these attachments. */
const withFiles = (...attachment: INodeParameters[]) => ({
	question: 'May we sign?',
	attachments: { attachment },
});

const allFiles = withFiles({ source: 'allBinary' });
const askAnyway = { options: { noFileFound: 'ask' } };

/** An item such as an e-mail trigger puts out. */
async function email(...fileNames: string[]) {
	const binary: IBinaryKeyData = {};
	const mimeType = 'application/octet-stream';
	for (const [index, fileName] of fileNames.entries())
		binary[`attachment_${index}`] = await storeBinary(fileName, { fileName, mimeType });
	return { json: { subject: 'Please review' }, binary };
}

const attached = ({ questions }: Sandbox) => questions.map(({ attachments }) => attachments);

const named = (...fileNames: string[]) => fileNames.map((fileName) => like({ fileName }));

describe("a question's attachments", () => {
	test('come from fields, upload jobs and addresses together, in the order they were entered', async ({
		service,
		run,
	}) => {
		const earlier = await run(
			'file.upload',
			{ fileSource: 'allBinary' },
			{ items: [await email('earlier.pdf')] },
		);
		const parameters = withFiles(
			// Of an entry whose source is an expression, n8n keeps all fields.
			{
				source: '={{ "url" }}',
				url: ' https://example.com/contract.pdf ',
				binaryPropertyName: 'attachment_0',
				// A node that did not run gives an error to whoever reads it.
				uploadJobId: '={{ $("Not There").item.json.job_id }}',
			},
			{ source: 'binary', binaryPropertyName: 'attachment_1 , attachment_0' },
			{ source: 'uploadJob', uploadJobId: ` ${readText(earlier.items[0], 'job_id')} ` },
		);
		await run('question.ask', parameters, { items: [await email('a.pdf', 'b.txt')] });
		expect(attached(service)).toEqual([
			[
				like({ url: 'https://example.com/contract.pdf' }),
				...named('b.txt', 'a.pdf', 'earlier.pdf'),
			],
		]);
	});

	test('may be several jobs and addresses in one entry, with commas or as a list', async ({
		service,
		run,
	}) => {
		const { items } = await run(
			'file.upload',
			{ fileSource: 'allBinary' },
			{ items: [await email('a.pdf', 'b.pdf')] },
		);
		const jobs = items.map((item) => readText(item, 'job_id'));
		const urls = [
			'https://example.com/c,1.pdf',
			'https://example.com/d.pdf?X-Amz-Signature=5ec2e7',
		];
		const item = { json: { jobs, urls, jobsText: jobs.join(', '), urlsText: urls.join(', ') } };
		for (const form of ['', 'Text']) {
			const ofJobs = { source: 'uploadJob', uploadJobId: `={{ $json.jobs${form} }}` };
			const parameters = withFiles(ofJobs, { source: 'url', url: `={{ $json.urls${form} }}` });
			const { json } = await run('question.ask', parameters, { items: [item] });
			expect(attached(service).at(-1)).toEqual([
				...named('a.pdf', 'b.pdf'),
				...urls.map((each) => like({ url: each })),
			]);
			expect(json).toMatchObject([{ attachments_sent: [...jobs, 'c,1.pdf', 'd.pdf'] }]);
		}
	});

	test('come from a source of their own for each item, and what belongs to another source is not read', async ({
		service,
		run,
	}) => {
		const byItem = {
			source: '={{ $json.source }}',
			url: '={{ $json.url }}',
			uploadJobId: '={{ $json.job_id }}',
			binaryPropertyName: '={{ $json.field }}',
		};
		const url = 'https://example.com/contract.pdf';
		const { binary } = await email('a.pdf');
		const items = [
			{ json: { source: 'url', url } },
			{ json: { source: 'binary', field: 'attachment_0' }, binary },
			{ json: { source: 'allBinary' }, binary },
		];
		const { error } = await run('question.ask', withFiles(byItem), { items });
		expect(error).toBeUndefined();
		const sent = attached(service)
			.flat()
			.map((file) => ('url' in file ? file.url : file.fileName));
		expect(sent.toSorted()).toEqual(['a.pdf', 'a.pdf', url]);
	});

	test('may be the files themselves, as expressions give them', async ({ service, run }) => {
		const items = [await email('a.pdf', 'b.pdf', 'c.pdf')];
		const expressions = [
			'={{ $binary.attachment_1 }}',
			'={{ [$binary.attachment_2, "attachment_0"] }}',
		];
		const sent = expressions.map((binaryPropertyName) => ({
			source: 'binary',
			binaryPropertyName,
		}));
		const { json } = await run('question.ask', withFiles(...sent), { items });
		expect(attached(service)).toEqual([named('b.pdf', 'c.pdf', 'a.pdf')]);
		expect(json).toMatchObject([{ attachments_sent: ['b.pdf', 'c.pdf', 'a.pdf'] }]);

		const binaryPropertyName = '={{ $binary.attachment_1 }}';
		const uploaded = await run('file.upload', { binaryPropertyName }, { items });
		expect(uploaded.json).toMatchObject([{ file_name: 'b.pdf' }]);
	});

	test('have the names in the output that people know', async ({ service, run }) => {
		const items = [await email('Prüfung.pdf', 'Annex.pdf')];
		const uploads = await run('file.upload', { fileSource: 'allBinary' }, { items });
		const [first] = uploads.json;
		const url = [
			'https://files.example/Vertr%C3%A4ge/NDA%20v2.docx?signature=5ec2e7',
			'https://files.example/download.aspx?path=%2FLegal%2FDPA.docx&signature=5ec2e7',
			'https://files.example/?signature=5ec2e7',
		];
		const elsewhere = { source: 'url', url: url.join(', ') };
		const jobs = { source: 'uploadJob', uploadJobId: '={{ $json.job_id }}' };
		const { json } = await run('question.ask', withFiles(jobs, elsewhere), {
			items: [{ json: first ?? {} }],
		});
		const aggregated = { ...jobs, uploadJobId: '={{ $json.data.map(({ job_id }) => job_id) }}' };
		const together = await run('question.ask', withFiles(aggregated), {
			items: [{ json: { note: null, data: uploads.json } }],
		});
		expect(json[0]?.attachments_sent).toEqual([
			'Prüfung.pdf',
			'NDA v2.docx',
			'DPA.docx',
			'files.example',
		]);
		expect(together.json[0]?.attachments_sent).toEqual(['Prüfung.pdf', 'Annex.pdf']);
		expect(attached(service)[1]).toEqual(named('Prüfung.pdf', 'Annex.pdf'));
	});

	test('ask the service to unzip archives and URLs only if the user chooses that', async ({
		service,
		run,
	}) => {
		const items = [await email('a.zip', 'b.pdf')];
		const url = 'https://example.com/c';
		for (const unzip of [true, false])
			await run(
				'question.ask',
				withFiles({ source: 'allBinary', unzip }, { source: 'url', url, unzip }),
				{ items },
			);

		const bodies = service.requestsTo(ASK).map(({ body }) => body as { attachments: unknown });
		const job = { upload_job_id: someText };
		expect(bodies.map(({ attachments }) => attachments)).toEqual([
			[{ ...job, unzip: true }, job, { url, unzip: true }],
			[job, job, { url }],
		]);
	});

	test('are the same bytes if n8n keeps files in the JSON of an item', async ({ service, run }) => {
		await useBinaryData('filesystem');
		const bytes = content(MEGABYTE);
		const files = { scan: await storeBinary(bytes, { fileName: 'scan.pdf' }) };
		const items = [{ json: { _files: files } } as unknown as INodeExecutionData];
		const settings = { binaryMode: 'combined' } as const;

		await run('question.ask', allFiles, { items, settings });
		await run('question.ask', withFiles({ source: 'binary', binaryPropertyName: '_files.scan' }), {
			items,
			settings,
		});
		await run('question.ask', { ...allFiles, ...askAnyway }, { items });

		const scan = [like({ fileName: 'scan.pdf', sha256: sha256(bytes) })];
		expect(attached(service)).toEqual([scan, scan, []]);
	});
});

test('a question with more than ten attachments, counted over all entries, is rejected before anything is sent', async ({
	service,
	run,
}) => {
	const ten = Array.from({ length: 10 }, (_, index) => `${index}.pdf`);
	const { error } = await run(
		'question.ask',
		withFiles({ source: 'allBinary' }, { source: 'url', url: 'https://example.com/x' }),
		{ items: [await email(...ten)] },
	);
	expect(error?.message).toBe(
		'There are 11 files in "Attachments"; a question can have at most 10',
	);
	expect(service.requests).toEqual([]);
});

describe('an ordinary e-mail', () => {
	const texts = Array.from({ length: 11 }, (_, index) => `${index}.txt`);
	const unreadable = ['logo.gif', 'invite.ics', 'forwarded.eml', 'winmail.dat'];
	const names = [...unreadable, 'NDA.pdf', ...texts];

	test("is asked about without the files that can't be sent if the user skips them, and the output lists why", async ({
		service,
		run,
	}) => {
		const parameters = { ...allFiles, options: { unsupportedFiles: 'skip' } };
		const { json, hints } = await run('question.ask', parameters, {
			items: [await email(...names)],
		});

		const sent = ['NDA.pdf', ...texts.slice(0, 9)];
		expect(attached(service)).toEqual([named(...sent)]);
		const type = textWith("has a type that the service can't read");
		const surplus = 'There are 12 files in "Attachments"; a question can have at most 10';
		const skipped_files = [
			...unreadable.map((file_name) => ({ file_name, reason: type })),
			...['9.txt', '10.txt'].map((file_name) => ({ file_name, reason: surplus })),
		];
		expect(json).toMatchObject([{ attachments_sent: sent, skipped_files }]);
		expect(hints).toEqual([textWith('Number of questions sent without some of their files: 1.')]);
	});

	test('sends documents before images and other media if there are more than ten files and the user skips those that are too many', async ({
		service,
		run,
	}) => {
		const pictures = Array.from({ length: 9 }, (_, index) => `signature-${index}.png`);
		const parameters = {
			...withFiles(
				{ source: 'allBinary' },
				{ source: 'url', url: 'https://example.com/call.mp3, https://example.com/annex.pdf' },
			),
			options: { unsupportedFiles: 'skip' },
		};
		const { json } = await run('question.ask', parameters, {
			items: [await email(...pictures, 'contract.docx')],
		});
		const sent = ['contract.docx', 'annex.pdf', ...pictures.slice(0, 8)];
		const skipped_files = ['signature-8.png', 'call.mp3'].map((file_name) => ({
			file_name,
			reason: textWith('at most 10'),
		}));
		expect(json).toMatchObject([{ attachments_sent: sent, skipped_files }]);
		expect(service.asked().attachments).toHaveLength(10);

		const ten = [await email(...pictures.slice(2), 'contract.docx')];
		const inOrder = [...pictures.slice(2), 'contract.docx', 'call.mp3', 'annex.pdf'];
		expect((await run('question.ask', parameters, { items: ten })).json).toMatchObject([
			{ attachments_sent: inOrder },
		]);
	});

	test("fails if one of its files can't be sent, unless the user skips such files", async ({
		service,
		run,
	}) => {
		const { error } = await run('question.ask', allFiles, { items: [await email(...names)] });
		expect(error?.message).toContain(
			'The file in "attachment_0" has a type that the service can\'t read (application/octet-stream, logo.gif)',
		);
		expect(error?.description).toContain('set "If a File Can\'t Be Sent" to "Skip the File"');
		expect(service.requests).toEqual([]);
	});

	test('without a binary field that other items have fails, or is asked about with a hint if the user chooses that', async ({
		run,
	}) => {
		const items = [await email('a.pdf', 'b.pdf'), await email('c.pdf'), await email()];
		const parameters = withFiles({
			source: 'binary',
			binaryPropertyName: 'attachment_0, attachment_1',
		});
		const { json, hints } = await run('question.ask', { ...parameters, ...askAnyway }, { items });
		expect(json).toMatchObject([
			{ attachments_sent: ['a.pdf', 'b.pdf'] },
			{
				attachments_sent: ['c.pdf'],
				skipped_files: [
					{ file_name: 'attachment_1', reason: 'The item has no binary field "attachment_1"' },
				],
			},
			{ status: 'in_progress' },
		]);
		expect(json[2]).not.toHaveProperty('attachments_sent');
		expect(json[2]).not.toHaveProperty('skipped_files');
		expect(hints.toSorted()).toEqual([
			textWith('Number of questions asked without a file'),
			textWith('Number of questions sent without some of their files: 1.'),
		]);

		const withUrl = withFiles(
			{ source: 'url', url: 'https://example.com/x.pdf' },
			{ source: 'binary', binaryPropertyName: 'attachment_1' },
		);
		const besideUrl = await run('question.ask', { ...withUrl, ...askAnyway }, { items });
		expect(besideUrl.json[2]).toMatchObject({
			attachments_sent: ['x.pdf'],
			skipped_files: [{ file_name: 'attachment_1' }],
		});

		const { error } = await run('question.ask', parameters, { items });
		expect(error?.message).toBe('The item has no binary field "attachment_1" [item 1]');
		expect(error?.description).toContain(
			'set "If No File Is Found" in the options to "Ask Anyway"',
		);
	});

	test.for([
		[{ source: 'allBinary' }, 'The item has no file to attach'],
		[{ source: 'binary' }, 'The item has no binary field "data"'],
	] as const)(
		'without a file fails before anything is asked, with a way to ask anyway: %j',
		async ([attachment, message], { service, run }) => {
			const items = [await email()];
			const { error } = await run('question.ask', withFiles(attachment), { items });
			expect(error?.message).toBe(message);
			expect(error?.description).toContain('"Ask Anyway"');
			expect(service.requests).toEqual([]);

			const parameters = { ...withFiles(attachment), ...askAnyway };
			const { hints } = await run('question.ask', parameters, { items });
			expect(hints).toEqual([
				textWith(
					'Number of questions asked without a file, because their items had none to attach: 1.',
				),
			]);
			expect(service.asked().attachments).toEqual([]);
		},
	);

	test('without a file is asked about if a file elsewhere is attached beside all of its own', async ({
		service,
		run,
	}) => {
		const url = 'https://example.com/x.pdf';
		const parameters = withFiles({ source: 'allBinary' }, { source: 'url', url });
		const { hints } = await run('question.ask', parameters, { items: [await email()] });
		expect(attached(service)).toEqual([[like({ url })]]);
		expect(hints).toEqual([]);
	});
});

test('a question is not asked if one of its files could not be sent', async ({ service, run }) => {
	service.faults.add({
		status: 400,
		body: 'no',
		match: 'PUT /storage/uploads/:job_id',
		skip: 1,
		times: Infinity,
	});
	const { error } = await run('question.ask', allFiles, {
		items: [await email('a.pdf', 'b.pdf', 'c.pdf')],
	});
	expect(error?.message).toMatch(/^".\.pdf" was not uploaded/);
	expect(listRoutes(service)).not.toContain(ASK);
});

describe('a file that an expression does not give', () => {
	const expressions = [
		'={{ $binary.contract }}',
		'={{ [$binary.contract] }}',
		'={{ Object.keys($binary) }}',
		'={{ "" }}',
	];
	const given = (binaryPropertyName: string) => withFiles({ source: 'binary', binaryPropertyName });

	test.for(expressions)(
		'is asked about without it if the user chooses that: %s',
		async (expression, { run }) => {
			const { error, hints } = await run('question.ask', { ...given(expression), ...askAnyway });
			expect(error?.message).toBeUndefined();
			expect(hints).toEqual([textWith('Number of questions asked without a file')]);
		},
	);

	test.for(expressions)('fails with the way to ask anyway: %s', async (expression, { run }) => {
		const { error } = await run('question.ask', given(expression));
		expect(error?.message).toBe('The item has no file that "Input Binary Field" names');
		expect(error?.description).toContain('"Ask Anyway"');
	});

	test('leaves the other files of its list as they are', async ({ run }) => {
		const expression = '={{ [$binary.attachment_0, $binary.annex] }}';
		const parameters = { ...given(expression), ...askAnyway };
		const { json } = await run('question.ask', parameters, { items: [await email('nda.pdf')] });
		expect(json).toMatchObject([
			{ attachments_sent: ['nda.pdf'], skipped_files: [{ file_name: 'Input Binary Field' }] },
		]);
	});
});

test('an upload of a file that an expression does not give fails with the names of the files that are there', async ({
	run,
}) => {
	const binaryPropertyName = '={{ [$binary.attachment_0, $binary.annex] }}';
	const { error } = await run(
		'file.upload',
		{ binaryPropertyName },
		{ items: [await email('nda.pdf')] },
	);
	expect(error?.message).toBe('The item has no file that "Input Binary Field" names');
	expect(error?.description).toContain('Its binary fields: attachment_0.');
});
