import { BinaryDataService } from 'n8n-core';

import {
	CHECK,
	type Execution,
	readBinary,
	startServer,
	someText,
	test,
	textLike,
} from '../../support/fixtures.mts';
import {
	callbackPayload,
	deliver,
	publishTrigger,
} from '../../support/engine/publishedTrigger.mts';

const REDLINE = {
	fileName: 'Redline.md',
	contentType: 'text/markdown',
	content: Buffer.from('# Redline'),
};
const downloading = { options: { downloadFiles: true, outputPrefix: 'doc_' } };

test.override({
	serviceOptions: {
		answer: () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 }),
	},
});

/** A server that is not the service's, and what it was asked for. */
async function strangers() {
	const seen: unknown[] = [];
	const elsewhere = await startServer((request, response) =>
		response.end(`secret ${seen.push(request.url)}`),
	);
	return { elsewhere, seen };
}

async function readFile(execution: Execution) {
	expect(execution.error).toBeUndefined();
	return (await readBinary(execution.readItems('After')[0], 'doc_0')).toString();
}

test('the files of an answer are downloaded with fresh links from the same assistant if the first links have expired', async ({
	service,
	run,
	listen,
}) => {
	const { url, waitForExecution } = await listen({ parameters: downloading });
	const value = service.organization.assistants.find(({ id }) => id !== 'default')?.id ?? '';
	const assistantId = { __rl: true, mode: 'id', value };
	await run('question.ask', { question: 'Redline it.', assistantId });
	const { id, generated } = await service.waitForQuestion(({ status }) => status === 'completed');
	const attachments = generated.map((file) => service.files.attachment(file));
	service.advance(25 * 3_600_000);
	await deliver(service, `${url}?assistant_id=${value}`, callbackPayload(id, { attachments }));
	expect(await readFile(await waitForExecution())).toBe('# Redline');
	expect(service.requestsTo(CHECK).map(({ path }) => path)).toEqual([
		`/api/v1/assistants/${value}/questions/${id}`,
	]);
});

/** Delivers an answer with a file that the service does not keep; gives what becomes of it. */
async function deliverLost(options: Parameters<typeof publishTrigger>[0], changes: object = {}) {
	const { deliver, waitForExecution } = await publishTrigger({
		parameters: downloading,
		...options,
	});
	const attachments = [{ file_name: 'a.md', url: `${options.service.baseUrl}/lost` }];
	const payload = callbackPayload('q', { attachments, ...changes });
	await deliver(payload);
	return { payload, execution: await waitForExecution() };
}

describe("an answer whose file can't be downloaded", () => {
	test('stops the execution, and says what a retry does and where else the answer can be seen', async ({
		service,
	}) => {
		const session_url = 'https://legal-ai.example.com/s';
		const { execution } = await deliverLost({ service }, { session_url, assistant_id: 'default' });
		expect(execution.error).toHaveProperty(
			'description',
			textLike(
				/You can see the question at https:\/\/legal-ai\.example\.com\/s\. This execution keeps the answer\. Retry it from the list of executions within 24 hours to download the files again\.$/,
			),
		);
	});

	test('says what a retry does, and no more, if n8n has no words of its own for what went wrong', async ({
		service,
		run,
		listen,
	}) => {
		const { deliver, waitForExecution } = await listen({ parameters: downloading });
		await run('question.ask', { question: 'Redline it.' });
		const { id, generated } = await service.waitForQuestion(({ status }) => status === 'completed');
		const attachments = generated.map((file) => service.files.attachment(file));
		vi.spyOn(BinaryDataService.prototype, 'store').mockRejectedValueOnce(new Error('ENOSPC'));
		await deliver(callbackPayload(id, { attachments }));
		const { error } = await waitForExecution();
		vi.restoreAllMocks();
		expect(error?.description).toMatch(/^This execution keeps the answer/);
	});

	test('comes out with the error next to it if On Error is "Continue"', async ({ service }) => {
		const node = { onError: 'continueRegularOutput' } as const;
		const { payload, execution } = await deliverLost({ service, node });
		const details = { description: someText };
		expect(execution.readItems('After')).toMatchObject([
			{ json: { ...payload, error: someText, details } },
		]);
	});
});

describe('with signatures off', () => {
	const unverified = { options: { ...downloading.options, verifySignature: false } };

	test('an answer from anybody leaves no link of its own in an error', async ({ service }) => {
		const changes = { session_url: 'https://elsewhere.example/log-in', assistant_id: 'default' };
		const { execution } = await deliverLost({ service, parameters: unverified }, changes);
		expect(execution.error?.description).toMatch(/to download the files again\.$/);
		expect(execution.error?.description).not.toContain('elsewhere');
	});

	test('files come from the addresses that the service gives, not from those in the callback', async ({
		service,
		run,
		listen,
	}) => {
		const { elsewhere, seen } = await strangers();
		await run('question.ask', { question: 'Redline it.' });
		const { deliver, waitForExecution } = await listen({ parameters: unverified });

		const attachments = [
			`${elsewhere}/a`,
			'http://169.254.169.254/latest/meta-data',
			'file:///etc/passwd',
		].map((address) => ({ file_name: 'a', url: address }));
		await deliver(callbackPayload(service.asked().id, { attachments }), { signature: undefined });

		expect(await readFile(await waitForExecution())).toBe('# Redline');
		expect(seen).toEqual([]);
	});

	test('a question that the service does not know brings no file', async ({ service }) => {
		const { execution } = await deliverLost({ service, parameters: unverified });
		expect(execution.error?.message).toContain('The question was not found for this assistant');
		expect(execution.readItems('After')).toEqual([]);
	});
});

test("a signed callback from a remote service can't make the trigger download from this machine", async ({
	listen,
}) => {
	const { elsewhere, seen } = await strangers();
	const credential = { baseUrl: 'https://legal-ai.example.com/api/v1' };
	const { deliver, waitForExecution } = await listen({ credential, parameters: downloading });

	await deliver(
		callbackPayload('q', { attachments: [{ file_name: 'a.md', url: `${elsewhere}/a` }] }),
	);

	expect((await waitForExecution()).error?.message).toMatch(/"a\.md".*address is not allowed/);
	expect(seen).toEqual([]);
});
