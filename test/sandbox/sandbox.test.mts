import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { asRecord, asText } from '../../harness/unknownJson.mts';
import { readJson } from '../../nodes/LegalAi/api/json.ts';
import { someText, textLike, textWith } from '../support/matchers.mts';
import { sandboxForTests } from '../support/sandboxForTests.mts';
import { ASSISTANTS } from './sandbox.mts';

const PDF = { 'content-type': 'application/pdf' };
const HOUR = 3_600_000;

const lines: string[] = [];
const sandbox = await sandboxForTests({ log: (line) => lines.push(line) });

async function read(response: Response) {
	const { status, headers } = response;
	const text = await response.text();
	return { status, retryAfter: headers.get('retry-after'), text, body: readJson(text) };
}
const call = async (method: string, path: string, body?: object) => {
	const headers = {
		authorization: `Bearer ${sandbox.apiKey}`,
		'content-type': 'application/json',
	};
	return await read(
		await fetch(sandbox.baseUrl + path, { method, headers, body: JSON.stringify(body) }),
	);
};
const ask = (more: object = {}, assistant = 'default') =>
	call('POST', `/assistants/${assistant}/questions`, { question: 'x', ...more });
const poll = (id: string) => call('GET', `/assistants/default/questions/${id}`);
const me = () => call('GET', '/me');

/** Matches a response with an error of the API. */
const refused = (status: number, code: string) => ({
	status,
	body: { error_code: code, svc_api_error_code: code, message: someText },
});

test('the sandbox writes one line a request, without secrets', async () => {
	lines.length = 0;
	await call('GET', '/me?secret=hidden');
	await sandbox.waitForRequest(({ ended }) => ended);
	expect(lines).toEqual([textLike(/^\d{4}-\S+Z GET \/api\/v1\/me 200 \d+ ms$/)]);
});

test('a reset takes the sandbox back to its start', async () => {
	await ask();
	sandbox.settings.requestsPerMinute = 1;
	sandbox.callbackFaults.drop = true;
	sandbox.organization.assistants.length = 0;
	sandbox.faults.add({ kind: 'hang' });
	sandbox.tasks.clear();
	await sandbox.reset();
	expect(sandbox).toMatchObject({
		requests: [],
		questions: [],
		callbacks: [],
		settings: { requestsPerMinute: 400 },
		callbackFaults: { drop: false },
	});
	expect(sandbox.tasks.ordered()).toHaveLength(8);
	expect(await call('GET', '/assistants')).toMatchObject({
		status: 200,
		body: [{ id: 'default' }, {}],
	});
});

describe('rate limits of the sandbox', () => {
	const limited = refused(429, 'rate_limit_exceeded');
	const statuses = async (count: number, send: typeof me) => {
		const seen: number[] = [];
		for (let sent = 0; sent < count; sent += 1) seen.push((await send()).status);
		return seen;
	};
	const six = Array<number>(6).fill(200);

	test('requests are limited, and the limit refills continuously', async () => {
		sandbox.settings.requestsPerMinute = 6;
		expect(await statuses(6, me)).toEqual(six);
		for (const [retryAfter, ms] of [
			['10', 4_000],
			['6', 6_000],
		] as const) {
			expect(await me()).toMatchObject({ ...limited, retryAfter });
			sandbox.advance(ms);
		}
		expect(await statuses(2, me)).toEqual([200, 429]);
		sandbox.advance(600_000);
		expect(await statuses(7, me)).toEqual([...six, 429]);
	});

	test('new sessions are limited, including declined ones, but not follow-ups or invalid questions', async () => {
		sandbox.settings.newSessionsPerMinute = 2;
		expect(await ask({ question: '' })).toMatchObject({ status: 400 });
		await ask();
		expect(await ask({ question: '[filtered]' })).toMatchObject({
			status: 200,
			body: { status: 'filtered' },
		});
		expect(await ask()).toMatchObject(limited);
		const { id } = sandbox.asked();
		await sandbox.complete(id);
		expect(await ask({ session_id: id })).toMatchObject({ status: 200 });
		sandbox.advance(30_000);
		expect(await statuses(2, ask)).toEqual([200, 429]);
	});
});

describe('uploads to the sandbox', () => {
	async function newJob() {
		const file = { file_name: 'NDA.pdf', content_type: PDF['content-type'] };
		const { body } = await call('POST', '/files/upload-url', file);
		const { job_id, upload_url } = asRecord(body, 'The job');
		return { id: asText(job_id, 'Its ID'), url: asText(upload_url, 'Its address') };
	}
	const put = async (url: string, headers: Record<string, string> = PDF) =>
		await read(await fetch(url, { method: 'PUT', headers, body: 'x' }));
	/** The error of a file storage. */
	const denied = (status: number, code: string) => ({
		status,
		text: textWith(`<Error><Code>${code}</Code>`),
	});

	test('an upload is refused with another content type, at a changed address, or with the API key', async () => {
		const { url } = await newJob();
		const mismatch = denied(403, 'SignatureDoesNotMatch');
		expect(await put(url, { 'content-type': 'text/plain' })).toMatchObject(mismatch);
		expect(await put(`${url}0`)).toMatchObject(mismatch);
		expect(await put(url, { ...PDF, authorization: 'Bearer key' })).toMatchObject(
			denied(400, 'InvalidArgument'),
		);
	});

	test('an upload address expires after an hour', async () => {
		const { url } = await newJob();
		sandbox.advance(HOUR - 5_000);
		expect(await put(url)).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await put(url)).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('an attachment is refused if nothing was uploaded for its job, or if the upload is older than 30 days', async () => {
		const { id, url } = await newJob();
		const attach = () => ask({ attachments: [{ upload_job_id: id }] });
		const invalid = refused(400, 'invalid_upload_job');
		expect(await attach()).toMatchObject(invalid);
		await put(url);
		sandbox.advance(30 * 24 * HOUR - 5_000);
		expect(await attach()).toMatchObject({ status: 200 });
		sandbox.advance(6_000);
		expect(await attach()).toMatchObject(invalid);
	});
});

test('a question to the sandbox completes between two and five minutes later, by default', async () => {
	await ask({ question: 'May we sign this?' });
	const { id } = sandbox.asked();
	sandbox.advance(119_000);
	expect((await poll(id)).body).toMatchObject({ status: 'in_progress', answer: null });
	sandbox.advance(181_000);
	await sandbox.waitForQuestion(({ status }) => status === 'completed');
	const answer = textWith('May we sign this?');
	expect((await poll(id)).body).toMatchObject({ status: 'completed', answer });
});

describe('the intake of the sandbox', () => {
	test('accepts a question that matches the instruction, and never declines a follow-up', async () => {
		await ask({ question: 'Review this NDA' }, ASSISTANTS.contracts);
		const { id: session_id } = sandbox.asked();
		await sandbox.complete(session_id);
		await ask({ question: '[filtered] And lunch?', session_id }, ASSISTANTS.contracts);
		await sandbox.complete(sandbox.questions[1]?.id ?? '');
		expect(sandbox.questions).toMatchObject([{}, { status: 'completed' }]);
	});

	test('can be switched off for an assistant, whose earlier questions can still be looked up', async () => {
		await ask();
		const { id } = sandbox.asked();
		for (const assistant of sandbox.organization.assistants) assistant.apiIntake = false;
		expect(await ask()).toMatchObject(refused(404, 'resource_not_found'));
		expect(await poll(id)).toMatchObject({ status: 200, body: { id } });
	});
});

test('npm run sandbox prints where it is and its secrets, answers, and stops on Ctrl-C', async () => {
	const program = spawn(process.execPath, [new URL('main.mts', import.meta.url).pathname], {
		env: { ...process.env, LEGAL_AI_SANDBOX_PORT: '0', LEGAL_AI_SANDBOX_TIME_SCALE: '300' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const output: string[] = [];
	const ended = once(program, 'exit');
	for await (const line of createInterface(program.stdout)) {
		output.push(line);
		if (line.includes('Ctrl-C')) break;
	}
	const printed = output.join('\n');
	const printedAs = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(printed)?.[1] ?? '';
	const [baseUrl, apiKey] = [printedAs('Base URL'), printedAs('API key')];
	expect(printed).toMatch(/Webhook secret\s+\S+/);
	expect(baseUrl).toMatch(/\/api\/v1$/);
	const headers = { authorization: `Bearer ${apiKey}` };
	expect((await fetch(`${baseUrl}/me`, { headers })).status).toBe(200);
	program.kill('SIGINT');
	expect(await ended).toEqual([0, null]);
});
