import {
	CHECK,
	type Execution,
	expireAtFirst,
	readBinary,
	sandboxTest,
	serverOfTest,
	someText,
	textLike,
} from '../../support/fixtures.mts';
import { answerTo, listening } from '../../support/engine/listening.mts';

const REDLINE = {
	fileName: 'Redline.md',
	contentType: 'text/markdown',
	content: Buffer.from('# Redline'),
};
const downloading = { options: { downloadFiles: true, outputPrefix: 'doc_' } };

const test = sandboxTest({
	answer: () => ({ status: 'completed', answer: 'Done.', attachments: [REDLINE], after: 0 }),
});

/** The parameters of a question whose answer goes to an address. */
const asking = (callbackUrl: string) => ({
	question: 'Redline it.',
	callbackTarget: 'url',
	callbackUrl,
});

/** A server that is not the service's, and what it was asked for. */
async function strangers() {
	const seen: unknown[] = [];
	const elsewhere = await serverOfTest((request, response) =>
		response.end(`secret ${seen.push(request.url)}`),
	);
	return { elsewhere, seen };
}

async function fileOf(execution: Execution) {
	expect(execution.error).toBeUndefined();
	return (await readBinary(execution.itemsOf('After')[0], 'doc_0')).toString();
}

test('the files of an answer are downloaded with fresh links from the same assistant if the first links have expired', async ({
	sandbox,
	run,
}) => {
	const { url, waitForExecution } = await listening({ sandbox, parameters: downloading });
	const value = sandbox.organization.assistants.find(({ id }) => id !== 'default')?.id ?? '';
	expireAtFirst(sandbox, 'GET /storage/generated/:file_id', 25);
	await run('question.ask', {
		...asking(`${url}?assistant_id=${value}`),
		assistantId: { __rl: true, mode: 'id', value },
	});
	expect(await fileOf(await waitForExecution())).toBe('# Redline');
	expect(sandbox.requestsTo(CHECK).map(({ path }) => path)).toEqual([
		`/api/v1/assistants/${value}/questions/${sandbox.asked().id}`,
	]);
});

describe("an answer whose file can't be downloaded", () => {
	const lost = (origin: string) => [{ file_name: 'a.md', url: `${origin}/storage/generated/1` }];

	test('stops the execution, and says what a retry does and where else the answer can be seen', async ({
		sandbox,
	}) => {
		const { deliver, waitForExecution } = await listening({ sandbox, parameters: downloading });
		await deliver(
			answerTo('q', {
				session_url: 'https://legal-ai.example.com/s',
				assistant_id: 'default',
				attachments: lost(sandbox.origin),
			}),
		);
		expect((await waitForExecution()).error).toHaveProperty(
			'description',
			textLike(
				/You can see it at https:\/\/legal-ai\.example\.com\/s\. This execution keeps the answer\. Retry it from the list of executions within 24 hours to download the files again\.$/,
			),
		);
	});

	test('comes out with the error next to it if On Error is "Continue"', async ({ sandbox }) => {
		const { deliver, waitForExecution } = await listening({
			sandbox,
			parameters: downloading,
			node: { onError: 'continueRegularOutput' },
		});
		const payload = answerTo('q', { attachments: lost(sandbox.origin) });
		await deliver(payload);
		expect((await waitForExecution()).itemsOf('After')).toMatchObject([
			{
				json: {
					...payload,
					error: someText,
					details: { description: someText },
				},
			},
		]);
	});
});

describe('with signatures off', () => {
	const unverified = { options: { ...downloading.options, verifySignature: false } };

	test('an answer from anybody leaves no link of its own in an error', async ({ sandbox }) => {
		const { deliver, waitForExecution } = await listening({ sandbox, parameters: unverified });
		const session_url = 'https://elsewhere.example/log-in';
		const attachments = [{ file_name: 'a', url: `${sandbox.origin}/storage/generated/1` }];
		await deliver(answerTo('q', { session_url, attachments }));
		expect((await waitForExecution()).error).toHaveProperty(
			'description',
			textLike(/to download the files again\.$/),
		);
	});

	test('files come from the addresses that the service gives, not from those in the callback', async ({
		sandbox,
		run,
	}) => {
		const { elsewhere, seen } = await strangers();
		await run('question.ask', asking('https://n8n.example.com/none'));
		const { deliver, waitForExecution } = await listening({ sandbox, parameters: unverified });

		const attachments = [
			`${elsewhere}/a`,
			'http://169.254.169.254/latest/meta-data',
			'file:///etc/passwd',
		].map((address) => ({
			...{ file_name: 'a', content_type: null, content_length: null, url: address },
		}));
		await deliver(answerTo(sandbox.asked().id, { attachments }), {
			signature: undefined,
		});

		expect(await fileOf(await waitForExecution())).toBe('# Redline');
		expect(seen).toEqual([]);
	});

	test('a question that the service does not know brings no file', async ({ sandbox }) => {
		const { deliver, waitForExecution } = await listening({ sandbox, parameters: unverified });
		await deliver(
			answerTo('made-up', { attachments: [{ url: `${sandbox.origin}/storage/generated/1` }] }),
			{ signature: undefined },
		);
		const execution = await waitForExecution();
		expect(execution.error?.message).toContain('The question was not found for this assistant');
		expect(execution.itemsOf('After')).toEqual([]);
	});
});

test("a signed callback from a remote service can't make the trigger download from this machine", async ({
	sandbox,
}) => {
	const { elsewhere, seen } = await strangers();
	const credential = { baseUrl: 'https://legal-ai.example.com/api/v1' };
	const { deliver, waitForExecution } = await listening({
		sandbox,
		credential,
		parameters: downloading,
	});

	await deliver(answerTo('q', { attachments: [{ file_name: 'a.md', url: `${elsewhere}/a` }] }));

	expect((await waitForExecution()).error?.message).toMatch(/"a\.md".*address is not allowed/);
	expect(seen).toEqual([]);
});
