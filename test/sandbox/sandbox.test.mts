import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { asRecord, asText } from '../../harness/unknownJson.mts';
import { readJson } from '../../nodes/LegalAi/api/json.ts';
import { someText, textLike, textWith } from '../support/matchers.mts';
import { test } from '../support/sandboxForTests.mts';
import { ASSISTANTS, type Sandbox } from './sandbox.mts';

const PDF = { 'content-type': 'application/pdf' };
const HOUR = 3_600_000;

const lines: string[] = [];
test.override({ serviceOptions: { log: (line) => lines.push(line) } });

async function read(response: Response) {
	const { status, headers } = response;
	const text = await response.text();
	return { status, retryAfter: headers.get('retry-after'), text, body: readJson(text) };
}
const call = async (service: Sandbox, method: string, path: string, body?: object) => {
	const headers = {
		authorization: `Bearer ${service.apiKey}`,
		'content-type': 'application/json',
	};
	return await read(
		await fetch(service.baseUrl + path, { method, headers, body: JSON.stringify(body) }),
	);
};
const ask = (service: Sandbox, more: object = {}, assistant = 'default') =>
	call(service, 'POST', `/assistants/${assistant}/questions`, { question: 'x', ...more });
const poll = (service: Sandbox, id: string) =>
	call(service, 'GET', `/assistants/default/questions/${id}`);
const me = (service: Sandbox) => call(service, 'GET', '/me');

/** Matches a response with an error of the API. */
const refused = (status: number, code: string) => ({
	status,
	body: { error_code: code, svc_api_error_code: code, message: someText },
});

test('the sandbox writes one line a request, without secrets', async ({ service }) => {
	lines.length = 0;
	await call(service, 'GET', '/me?secret=hidden');
	await service.waitForRequest(({ ended }) => ended);
	expect(lines).toEqual([textLike(/^\d{4}-\S+Z GET \/api\/v1\/me 200 \d+ ms$/)]);
});

test('a reset takes the sandbox back to its start', async ({ service }) => {
	await ask(service);
	service.settings.requestsPerMinute = 1;
	service.callbackFaults.drop = true;
	service.organization.assistants.length = 0;
	service.faults.add({ kind: 'hang' });
	service.tasks.clear();
	await service.reset();
	expect(service).toMatchObject({
		requests: [],
		questions: [],
		callbacks: [],
		settings: { requestsPerMinute: 400 },
		callbackFaults: { drop: false },
	});
	expect(service.tasks.ordered()).toHaveLength(8);
	expect(await call(service, 'GET', '/assistants')).toMatchObject({
		status: 200,
		body: [{ id: 'default' }, {}],
	});
});

test('the paths of agents and of assistants are the same, with the same response', async ({
	service,
}) => {
	const asked = await call(service, 'POST', '/agents/default/questions', { question: 'x' });
	const { id } = service.asked();
	expect(asked).toMatchObject({ status: 200, body: { id, status: 'in_progress' } });
	const polled = await call(service, 'GET', `/agents/default/questions/${id}`);
	expect(polled).toMatchObject({ status: 200, body: asked.body });
	expect((await poll(service, id)).body).toEqual(polled.body);
	expect(service.requestsTo('POST /assistants/:assistant_id/questions')).toHaveLength(1);
	const refusal = refused(400, 'invalid_request_body');
	expect(await call(service, 'POST', '/agents/default/questions', {})).toMatchObject(refusal);
});

describe('rate limits of the sandbox', () => {
	const limited = refused(429, 'rate_limit_exceeded');
	const statuses = async (service: Sandbox, count: number, send: typeof me) => {
		const seen: number[] = [];
		for (let sent = 0; sent < count; sent += 1) seen.push((await send(service)).status);
		return seen;
	};
	const six = Array<number>(6).fill(200);

	test('requests are limited, and the limit refills continuously', async ({ service }) => {
		service.settings.requestsPerMinute = 6;
		expect(await statuses(service, 6, me)).toEqual(six);
		for (const [retryAfter, ms] of [
			['10', 4_000],
			['6', 6_000],
		] as const) {
			expect(await me(service)).toMatchObject({ ...limited, retryAfter });
			service.advance(ms);
		}
		expect(await statuses(service, 2, me)).toEqual([200, 429]);
		service.advance(600_000);
		expect(await statuses(service, 7, me)).toEqual([...six, 429]);
	});

	test('new sessions are limited, including declined ones, but not follow-ups or invalid questions', async ({
		service,
	}) => {
		service.settings.newSessionsPerMinute = 2;
		expect(await ask(service, { question: '' })).toMatchObject({ status: 400 });
		await ask(service);
		expect(await ask(service, { question: '[filtered]' })).toMatchObject({
			status: 200,
			body: { status: 'filtered' },
		});
		expect(await ask(service)).toMatchObject(limited);
		const { id } = service.asked();
		await service.complete(id);
		expect(await ask(service, { session_id: id })).toMatchObject({ status: 200 });
		service.advance(30_000);
		expect(await statuses(service, 2, ask)).toEqual([200, 429]);
	});
});

describe('uploads to the sandbox', () => {
	async function newJob(service: Sandbox) {
		const file = { file_name: 'NDA.pdf', content_type: PDF['content-type'] };
		const { body } = await call(service, 'POST', '/files/upload-url', file);
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

	test('an upload is refused with another content type, at a changed address, or with the API key', async ({
		service,
	}) => {
		const { url } = await newJob(service);
		const mismatch = denied(403, 'SignatureDoesNotMatch');
		expect(await put(url, { 'content-type': 'text/plain' })).toMatchObject(mismatch);
		expect(await put(`${url}0`)).toMatchObject(mismatch);
		expect(await put(url, { ...PDF, authorization: 'Bearer key' })).toMatchObject(
			denied(400, 'InvalidArgument'),
		);
	});

	test('an upload address expires after an hour', async ({ service }) => {
		const { url } = await newJob(service);
		service.advance(HOUR - 5_000);
		expect(await put(url)).toMatchObject({ status: 200 });
		service.advance(6_000);
		expect(await put(url)).toMatchObject(denied(403, 'AccessDenied'));
	});

	test('an attachment is refused if nothing was uploaded for its job, or if the upload is older than 30 days', async ({
		service,
	}) => {
		const { id, url } = await newJob(service);
		const attach = () => ask(service, { attachments: [{ upload_job_id: id }] });
		const invalid = refused(400, 'invalid_upload_job');
		expect(await attach()).toMatchObject(invalid);
		await put(url);
		service.advance(30 * 24 * HOUR - 5_000);
		expect(await attach()).toMatchObject({ status: 200 });
		service.advance(6_000);
		expect(await attach()).toMatchObject(invalid);
	});
});

test('a question to the sandbox completes between two and five minutes later, by default', async ({
	service,
}) => {
	await ask(service, { question: 'May we sign this?' });
	const { id } = service.asked();
	service.advance(119_000);
	expect((await poll(service, id)).body).toMatchObject({ status: 'in_progress', answer: null });
	service.advance(181_000);
	await service.waitForQuestion(({ status }) => status === 'completed');
	const answer = textWith('May we sign this?');
	expect((await poll(service, id)).body).toMatchObject({ status: 'completed', answer });
});

describe('the intake of the sandbox', () => {
	test('accepts a question that matches the instruction, and never declines a follow-up', async ({
		service,
	}) => {
		await ask(service, { question: 'Review this NDA' }, ASSISTANTS.contracts);
		const { id: session_id } = service.asked();
		await service.complete(session_id);
		await ask(service, { question: '[filtered] And lunch?', session_id }, ASSISTANTS.contracts);
		await service.complete(service.questions[1]?.id ?? '');
		expect(service.questions).toMatchObject([{}, { status: 'completed' }]);
	});

	test('can be switched off for an assistant, whose earlier questions can still be looked up', async ({
		service,
	}) => {
		await ask(service);
		const { id } = service.asked();
		for (const assistant of service.organization.assistants) assistant.apiIntake = false;
		expect(await ask(service)).toMatchObject(refused(404, 'resource_not_found'));
		expect(await poll(service, id)).toMatchObject({ status: 200, body: { id } });
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
