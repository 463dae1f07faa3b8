import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';

import { WebhookContext } from 'n8n-core';

import { instance, logs, type Run, type Sandbox, sandboxTest } from '../../support/fixtures.mts';
import {
	answerTo,
	deliver,
	listening,
	signed,
	type Posting,
} from '../../support/engine/listening.mts';

const test = sandboxTest({ answerTime: [Infinity, Infinity] });
afterEach(() => {
	vi.restoreAllMocks();
});

const MEGABYTE = 1024 * 1024;

/** Sent as bytes, which n8n itself neither reads nor parses. */
const asBytes = { headers: { 'content-type': 'application/octet-stream' } };

const bodies = {
	'15 MB of text': JSON.stringify(answerTo('q', { answer: 'x'.repeat(15 * MEGABYTE) })),
	'15 MB of fields': `{"id":"q","status":"completed"${',"a":1'.repeat(2.5 * MEGABYTE)}}`,
	'seven million levels': '['.repeat(7 * MEGABYTE) + ']'.repeat(7 * MEGABYTE),
	'keys that would change objects': `{"id":"q","status":"completed","a":[${'{"__proto__":{"x":1}},'.repeat(500_000)}1]}`,
};

/** Where a callback can be posted to: a trigger's address, and that of a node that waits for an answer. */
const receivers = {
	'the trigger': async (sandbox: Sandbox) => {
		const { url, begun } = await listening({ sandbox });
		return { url, started: begun };
	},
	'the waiting node': async (_sandbox: Sandbox, run: Run) => {
		const parked = await run(
			'question.askAndWait',
			{ question: 'Why?' },
			{ node: { id: randomUUID() } },
		);
		const { database } = await instance();
		const started = () => (database.get(parked.id).status === 'waiting' ? 0 : 1);
		return { url: parked.resumeUrl, started };
	},
};

describe.each(Object.entries(receivers))('%s', (_name, receive) => {
	test.for(Object.entries(bodies))(
		'rejects a body far larger than an answer before it does anything else: %s',
		async ([, body], { sandbox, run }) => {
			const { url, started } = await receive(sandbox, run);
			const parse = vi.spyOn(JSON, 'parse');
			const read = vi.spyOn(WebhookContext.prototype, 'getCredentials');
			const gzipped = {
				headers: { ...asBytes.headers, 'content-encoding': 'gzip' },
				bytes: gzipSync(body),
			};
			const forgeries: Posting[] = [
				{ ...asBytes, signature: undefined },
				{
					...asBytes,
					signature: signed(sandbox.webhookSecret, body, Math.floor(Date.now() / 1000) - 90),
				},
				{ ...gzipped, signature: signed('forged', body) },
			];
			for (const posting of [...forgeries, asBytes]) {
				expect(await deliver(sandbox, url, body, posting)).toMatchObject([
					413,
					{ error_code: 'invalid_payload' },
				]);
			}
			expect(parse.mock.calls.filter(([text]) => text.length > MEGABYTE)).toEqual([]);
			// A node that waits checks for itself, once a minute, and parks again.
			await vi.waitFor(() => {
				expect(started()).toBe(0);
			});
			expect(read).not.toHaveBeenCalled();
		},
	);

	test('does not parse what is not signed', async ({ sandbox, run }) => {
		const { url, started } = await receive(sandbox, run);
		const parse = vi.spyOn(JSON, 'parse');
		const body = JSON.stringify(answerTo('q', { answer: 'x'.repeat(3 * MEGABYTE) }));
		for (const signature of [undefined, signed('forged', body)]) {
			expect((await deliver(sandbox, url, body, { ...asBytes, signature }))[0]).toBe(401);
		}
		expect(parse.mock.calls.filter(([text]) => text.length > MEGABYTE)).toEqual([]);
		// A node that waits looks for itself, and parks again.
		await vi.waitFor(() => {
			expect(started()).toBe(0);
		});
	});

	test('logs a flood of forged and unsigned callbacks once a minute', async ({ sandbox, run }) => {
		const { url } = await receive(sandbox, run);
		const lines = () => logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
		const before = lines().length;
		const body = JSON.stringify(answerTo('q'));
		const forged = { signature: signed('forged', body) };
		for (let count = 0; count < 50; count++) {
			for (const posting of [forged, { signature: undefined }])
				await deliver(sandbox, url, body, posting);
		}
		const now = Date.now();
		vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000);
		await deliver(sandbox, url, body, forged);

		const said =
			'Legal AI rejected a callback: The signature does not match the body and the webhook secret of this receiver.';
		expect(lines().slice(before)).toEqual([said, said]);
	});

	test('turns away a body that is announced to be far too large before it arrives', async ({
		sandbox,
		run,
	}) => {
		const url = new URL((await receive(sandbox, run)).url);
		const headers = {
			'content-type': 'application/octet-stream',
			'content-length': String(5 * MEGABYTE),
		};
		const sent = httpRequest(url, { method: 'POST', headers, agent: false });
		sent.flushHeaders();
		const [response] = (await once(sent, 'response')) as [IncomingMessage];
		expect(response.statusCode).toBe(413);
		sent.destroy();
	});

	test('rejects a form, though it is signed: n8n keeps no bytes of it', async ({
		sandbox,
		run,
	}) => {
		const { url, started } = await receive(sandbox, run);
		const headers = { 'content-type': 'multipart/form-data; boundary=x' };
		expect((await deliver(sandbox, url, answerTo('q'), { headers }))[0]).toBe(401);
		await vi.waitFor(() => {
			expect(started()).toBe(0);
		});
	});
});

test('with signatures off, the trigger refuses what is far larger than an answer without parsing it', async ({
	sandbox,
}) => {
	const { deliver, begun } = await listening({
		sandbox,
		parameters: { options: { verifySignature: false } },
	});
	const parse = vi.spyOn(JSON, 'parse');
	for (const body of Object.values(bodies)) expect((await deliver(body, asBytes))[0]).toBe(413);
	expect(parse.mock.calls.filter(([text]) => text.length > MEGABYTE)).toEqual([]);
	expect(begun()).toBe(0);
});

test.for([1_000, 100_000])(
	'a signed answer with %i levels in it gets a response, and the next one too',
	async (depth, { sandbox }) => {
		const { deliver } = await listening({ sandbox });
		const body = `{"id":"q","status":"completed","deep":${'['.repeat(depth)}${']'.repeat(depth)}}`;
		expect([200, 400, 500]).toContain((await deliver(body, asBytes))[0]);
		expect((await deliver(answerTo('q2')))[0]).toBe(200);
	},
);
