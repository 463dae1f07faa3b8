import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	binaryItem,
	readBinary,
	storeBinary,
	test,
	readText,
	useBinaryData,
} from '../../support/fixtures.mts';

const REDLINE = {
	fileName: 'Mutual_Non_Disclosure_Agreement_Acme_GmbH_redlined.md',
	contentType: 'text/markdown',
	content: Buffer.from('# Redline'),
};

test.override({
	serviceOptions: {
		answer: () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 }),
	},
	timesFaster: 50,
});
beforeEach(() => useBinaryData('default'));

const question = 'Redline it.';
const downloadFiles = { options: { downloadFiles: true } };
const waitUsing = 'polling';

test.for<[string, INodeParameters, string[]]>([
	['question.ask', { question, ...downloadFiles }, []],
	['question.askAndWait', { question, options: { waitUsing, downloadFiles: true } }, ['file_0']],
	['question.askAndWait', { question, options: { waitUsing } }, []],
	['question.get', downloadFiles, ['file_0']],
	['question.waitForAnswer', downloadFiles, ['file_0']],
	['file.download', { downloadFrom: 'question', binaryPropertyName: 'file' }, ['file_0']],
])(
	'the files of the input item stay, behind those that are downloaded, and a hint names others: %s with %j',
	async ([operation, parameters, downloaded], { service, run }) => {
		await run('question.ask', { question });
		const item = { ...(await binaryItem('The contract')), json: { id: service.asked().id } };
		const { items, error, hints } = await run(operation, parameters, { items: [item] });

		expect(error).toBeUndefined();
		const told = `Number of files that came with answers and were not downloaded: 1. Names: "${REDLINE.fileName}".`;
		expect(hints.some((hint) => hint.startsWith(told))).toBe(
			operation === 'question.askAndWait' && downloaded.length === 0,
		);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual([...downloaded, 'data']);
		expect((await readBinary(items[0], 'data')).toString()).toBe('The contract');
		for (const name of downloaded)
			expect(await readBinary(items[0], name)).toEqual(REDLINE.content);
	},
);

test.for([
	['an answer without files', 'completed', [], true, true],
	['an answer with a file', 'completed', [REDLINE], true, false],
	['an answer without files that were not asked for', 'completed', [], false, false],
	['no answer', 'error', [], true, false],
] as const)(
	'a hint says so if files are to be downloaded and there are none: %s',
	async ([, status, files, isDownloading, isTold], { service, run }) => {
		const attachments = [...files];
		service.settings.answer = () => ({ status, answer: 'Done.', attachments, after: 0 });
		const options = { waitUsing, downloadFiles: isDownloading };
		const { hints } = await run('question.askAndWait', { question, options });
		const told = 'Number of answers that came without a file to download: 1.';
		expect(hints.some((hint) => hint.startsWith(told))).toBe(isTold);
	},
);

test.for([
	['file_', ['file_0'], '# Redline'],
	['letter_', ['letter_0', 'file_0'], 'The contract'],
] as const)(
	"downloaded files replace an earlier node's files with the same names, unless they get another prefix: %s",
	async ([outputPrefix, names, said], { run }) => {
		const items = [{ json: {}, binary: { file_0: await storeBinary('The contract') } }];
		const options = { waitUsing, downloadFiles: true, outputPrefix };
		const after = await run('question.askAndWait', { question, options }, { items });
		expect(Object.keys(after.items[0]?.binary ?? {})).toEqual(names);
		expect((await readBinary(after.items[0], 'file_0')).toString()).toBe(said);
	},
);

test('a file that n8n keeps in the JSON of an item stays there, beside those that are downloaded', async ({
	run,
}) => {
	await useBinaryData('filesystem');
	const contract = await storeBinary('The contract', { fileName: 'contract.pdf' });
	const item = { json: { _files: { contract } } } as unknown as INodeExecutionData;
	const parameters = { question, options: { waitUsing, downloadFiles: true } };
	const { json } = await run('question.askAndWait', parameters, {
		items: [item],
		settings: { binaryMode: 'combined' },
	});
	expect(json).toMatchObject([
		{
			answer: 'Done.',
			_files: { contract: { fileName: 'contract.pdf' }, file_0: { fileName: REDLINE.fileName } },
		},
	]);
});

test.for<[string, (id: string) => INodeParameters]>([
	['task.create', () => ({ title: 'Review' })],
	['task.get', (taskId) => ({ taskId })],
	['task.update', (taskId) => ({ taskId, updateFields: { description: 'Soon' } })],
	['task.update', (taskId) => ({ taskId })],
	['task.acceptDraft', (taskId) => ({ taskId })],
	['task.archive', (taskId) => ({ taskId })],
	['task.waitForStatus', (taskId) => ({ taskId, statuses: ['todo', 'in_progress', 'done'] })],
])(
	'the files of the input item stay with a task: %s',
	async ([operation, parametersFor], { run }) => {
		const { json } = await run('task.create', {
			title: 'NDA',
			additionalFields: { status: 'todo' },
		});
		const parameters = parametersFor(readText({ json: json[0] ?? {} }, 'id'));
		const { items, error } = await run(operation, parameters, {
			items: [await binaryItem('The contract')],
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect((await readBinary(items[0], 'data')).toString()).toBe('The contract');
	},
);

test.for<[string, INodeParameters]>([
	['task.getAll', {}],
	['user.get', {}],
	['file.upload', {}],
])(
	'what is no output of the item itself has none of its files: %s',
	async ([operation, parameters], { run }) => {
		const { items, error } = await run(operation, parameters, {
			items: [await binaryItem('The contract')],
		});
		expect(error).toBeUndefined();
		for (const item of items) expect(item).not.toHaveProperty('binary');
	},
);

test.for(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'an item that fails before anything is asked keeps its files, in a workflow that keeps them in the JSON, too: %s',
	async (onError, { run }) => {
		const failing = { question: '={{ $json.nothing }}' };
		const items = [{ ...(await binaryItem('The contract')), json: { matter: 'M-1' } }];
		const failed = await run('question.ask', failing, { items, node: { onError } });
		expect((await readBinary(failed.outputs.flat()[0], 'data')).toString()).toBe('The contract');

		await useBinaryData('filesystem');
		const contract = await storeBinary('The contract', { fileName: 'contract.pdf' });
		const { outputs } = await run('question.ask', failing, {
			items: [{ json: { _files: { contract } } } as unknown as INodeExecutionData],
			settings: { binaryMode: 'combined' },
			node: { onError },
		});
		const [regular = [], errors = []] = outputs;
		expect(onError === 'continueErrorOutput' ? errors : regular).toMatchObject([
			{ json: { _files: { contract: { fileName: 'contract.pdf' } } } },
		]);
	},
);
