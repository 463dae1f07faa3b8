import { describe, expect, test } from 'vitest';

import { NODE, readBinary, runNode, type Execution } from '../../support/engine/engine.mts';
import { sandboxOfFile, serverOfTest } from '../../support/lifetimes.mts';
import { expireAtFirst, textOf } from '../file/files.mts';
import { answerTo, deliver, listening } from './listening.mts';

const sandbox = await sandboxOfFile({ answerTime: [0, 0] });

const GET_FILE = 'GET /storage/generated/:file_id';
const REDLINE = { fileName: 'Redline.md', contentType: 'text/markdown', content: Buffer.from('# Redline') };
const downloading = { options: { downloadFiles: true, outputPrefix: 'doc_' } };

/** Asks an assistant, with the answer and its file to go to an address. */
async function askFor(callbackUrl: string, assistantId: string): Promise<string> {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 });
	const run = await runNode({
		sandbox,
		parameters: {
			...{ resource: 'question', operation: 'ask', question: 'Redline it.', callbackTarget: 'url', callbackUrl },
			assistantId: { __rl: true, mode: 'id', value: assistantId },
		},
	});
	expect(run.error).toBeUndefined();
	return textOf(run.items[0], 'id');
}

async function fileOf(execution: Execution): Promise<string> {
	expect(execution.error).toBeUndefined();
	return (await readBinary(execution.itemsOf('After')[0], 'doc_0')).toString();
}

const lookedUp = (): string[] => sandbox.requests.filter(({ route }) => route.startsWith('GET /assistants/')).map(({ path }) => path);

describe('the files of an answer', () => {
	test('come along', async () => {
		const { url, waitForExecution } = await listening({ sandbox, parameters: downloading });
		const id = await askFor(url, 'default');
		const execution = await waitForExecution();
		expect(await fileOf(execution)).toBe('# Redline');
		expect(execution.itemsOf(NODE)[0]?.json).toMatchObject({ id, status: 'completed' });
		expect(lookedUp()).toEqual([]);
	});

	test('whose address has expired are asked for again, from the assistant that the callback came from', async () => {
		const [assistantId = ''] = sandbox.organization.assistants.map(({ id }) => String(id)).filter((id) => id !== 'default');
		const { url, waitForExecution } = await listening({ sandbox, parameters: downloading });
		expireAtFirst(sandbox, GET_FILE, 25);
		const id = await askFor(`${url}?assistant_id=${assistantId}`, assistantId);
		expect(await fileOf(await waitForExecution())).toBe('# Redline');
		expect(lookedUp()).toEqual([`/api/v1/assistants/${assistantId}/questions/${id}`]);
	});
});

describe('an answer whose file can not be downloaded', () => {
	const payload = answerTo('q', { session_url: 'https://legal-ai.example.com/s', attachments: [{ file_name: 'a.md', url: `${sandbox.origin}/storage/generated/1` }] });

	test('stops the execution, and says what a retry does and where else the answer can be seen', async () => {
		const { url, waitForExecution } = await listening({ sandbox, parameters: downloading });
		await deliver(sandbox, url, payload);
		const { error } = await waitForExecution();
		expect(error).toHaveProperty('description', expect.stringMatching(
			/This execution keeps the answer\. Retry it from the list of executions within 24 hours to download the files again\. You can also see the answer at https:\/\/legal-ai\.example\.com\/s\.$/,
		));
	});

	test('because it is larger than the option allows names that option, and keeps the answer', async () => {
		const parameters = { options: { downloadFiles: true, maxFileSize: 1 } };
		const { url, waitForExecution } = await listening({ sandbox, parameters });
		const file = sandbox.files.keepGenerated({ ...REDLINE, content: Buffer.alloc(1024 * 1024 + 1) });
		await deliver(sandbox, url, answerTo('q', { attachments: [sandbox.files.attachment(file)] }));
		const { error } = await waitForExecution();
		expect(error?.message).toBe('"Redline.md" is larger than "Max File Size (MB)", so it was not downloaded');
		expect(error).toHaveProperty('description', expect.stringContaining('This execution keeps the answer.'));
	});

	test('comes out with what went wrong beside it, if errors are to continue', async () => {
		const { url, waitForExecution } = await listening({ sandbox, parameters: downloading, onError: 'continueRegularOutput' });
		await deliver(sandbox, url, payload);
		expect((await waitForExecution()).itemsOf('After')).toMatchObject([
			{ json: { ...payload, error: expect.any(String) as unknown, details: { description: expect.any(String) as unknown } } },
		]);
	});
});

describe('with signatures off', () => {
	const unverified = { options: { ...downloading.options, verifySignature: false } };

	test('files come from the addresses that the service gives, not from those in the callback', async () => {
		const seen: unknown[] = [];
		const elsewhere = await serverOfTest((request, response) => response.end(`secret ${seen.push(request.url)}`));
		const asked = await askFor('https://n8n.example.com/none', 'default');
		const { url, waitForExecution } = await listening({ sandbox, parameters: unverified });

		const attachments = [`${elsewhere}/a`, 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd'].map((address) => ({
			...{ file_name: 'a', content_type: null, content_length: null, url: address },
		}));
		await deliver(sandbox, url, answerTo(asked, { attachments }), { signature: undefined });

		expect(await fileOf(await waitForExecution())).toBe('# Redline');
		expect(seen).toEqual([]);
	});

	test('a question that the service does not know brings no file', async () => {
		const { url, waitForExecution } = await listening({ sandbox, parameters: unverified });
		const attachments = [{ url: `${sandbox.origin}/storage/generated/1` }];
		await deliver(sandbox, url, answerTo('made-up', { attachments }), { signature: undefined });
		const execution = await waitForExecution();
		expect(execution.error?.message).toContain('The question was not found for this assistant');
		expect(execution.itemsOf('After')).toEqual([]);
	});
});

test('a service elsewhere can not have the trigger fetch from this machine, though it signs', async () => {
	const seen: unknown[] = [];
	const elsewhere = await serverOfTest((request, response) => response.end(`secret ${seen.push(request.url)}`));
	const credential = { baseUrl: 'https://legal-ai.example.com/api/v1' };
	const { url, waitForExecution } = await listening({ sandbox, credential, parameters: downloading });

	await deliver(sandbox, url, answerTo('q', { attachments: [{ file_name: 'a.md', url: `${elsewhere}/a` }] }));

	expect((await waitForExecution()).error?.message).toBe('"a.md" was not downloaded: its address is not allowed');
	expect(seen).toEqual([]);
});
