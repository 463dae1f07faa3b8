import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../harness/n8nProcess.mts';
import { isRecord } from '../../harness/unknownJson.mts';
import type { Sandbox } from '../sandbox/sandbox.mts';
import { test } from '../support/sandboxForTests.mts';
import { CHECK_NAME } from './checkedService.mts';
import { textWith } from '../support/matchers.mts';

const TIME_SCALE = 60;
test.override({ serviceOptions: { timeScale: TIME_SCALE, answerTime: [180_000, 180_000] } });

/** How the check is told where the service is. */
function accessTo({ baseUrl, apiKey }: Sandbox) {
	return { LEGAL_AI_BASE_URL: baseUrl, LEGAL_AI_API_KEY: apiKey };
}

/** The same, and where callbacks arrive. */
function callbacksAt(service: Sandbox, port: string) {
	return {
		...accessTo(service),
		LEGAL_AI_WEBHOOK_SECRET: service.webhookSecret,
		LEGAL_AI_CALLBACK_PORT: port,
		LEGAL_AI_CALLBACK_URL: `http://127.0.0.1:${port}/`,
	};
}

const STACK_TRACE = /^ +at /m;

const programFile = fileURLToPath(new URL('main.mts', import.meta.url));

/** Starts `npm run check-service` in a folder of its own. */
function start(env: Record<string, string>, ...args: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'check-service-'));
	const program = spawn(
		process.execPath,
		['--import', new URL('sources.mts', import.meta.url).href, programFile, ...args],
		{
			cwd: folder,
			env: { PATH: process.env.PATH, LEGAL_AI_SANDBOX_TIME_SCALE: String(TIME_SCALE), ...env },
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	const printed: string[] = [];
	for (const output of [program.stdout, program.stderr])
		output.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
	const ended = once(program, 'close').then(([code]: unknown[]) => ({
		code,
		printed: printed.join(''),
		folder,
	}));
	return { program, ended };
}

/** Checks that a check has left nothing but two archived tasks. */
function expectArchived(service: Sandbox, before: number) {
	const left = service.tasks.ordered().filter(({ title }) => title === CHECK_NAME);
	expect(left).toMatchObject([{ archived: true }, { archived: true }]);
	expect(service.tasks.ordered()).toHaveLength(before + left.length);
}

/** What a service might do otherwise: words of its answers that are others. */
const REPLACED: [words: string, others: string][] = [
	['"Missing Authorization header"', '"Please log in"'],
	['session_still_processing', 'session_busy'],
	['"next_cursor"', '"has_more":true,"position"'],
	['"content_type":"text/plain"', '"content_type":"text/plain; charset=utf-8"'],
];

describe('npm run check-service', () => {
	test('ends with 0 and a report if the service behaves as expected, and leaves only archived tasks', async ({
		service,
	}) => {
		const before = service.tasks.ordered().length;
		const { code, printed, folder } = await start(accessTo(service), '--yes').ended;
		expect(printed).toMatch(/^as read +GET \/me tells the user/m);
		expect(printed).toMatch(/^not tried +A callback is signed.*\n +needs LEGAL_AI_WEBHOOK_SECRET/m);
		expect(printed).toMatch(/^\d+ as read, 0 differ, \d+ not tried/m);
		expect(code).toBe(0);
		expectArchived(service, before);
		const report = readFileSync(join(folder, 'check-service-report.md'), 'utf8');
		expect(report).toContain('| as read | GET /tasks/{task_id} answers the task |  |');
		const answer = service.asked().answer ?? 'none';
		const secrets = [
			service.apiKey,
			new URL(service.origin).host,
			service.organization.user.user_email,
			answer.slice(0, 40),
		];
		for (const secret of secrets) expect(report).not.toContain(secret);
	});

	test('ends with 1 if the service differs in five places, and reports exactly these', async ({
		service,
	}) => {
		service.callbackFaults.secret = 'another secret';
		const body = (sent: string) =>
			REPLACED.reduce((words, [one, other]) => words.replaceAll(one, other), sent);
		service.faults.add({ kind: 'body', times: Infinity, body });
		const port = String(await freePort());
		const { code, printed } = await start(callbacksAt(service, port), '--yes').ended;
		const found = [
			...printed.matchAll(/^differs +(\S.*)\n +expected (?:[^;\n]|;(?! seen ))*; seen (.*)$/gm),
		].map(([, promise, seen]) => `${promise ?? ''}: ${seen ?? ''}`);
		expect(found).toEqual([
			'A request without a key gets 401 with error_code "unauthorized" and the message "Missing Authorization header": message: another text',
			'POST /files/upload-url answers an upload job with the content type that was declared: content_type: another text',
			'A second question in a session is refused with 400 and error_code "session_still_processing" while the first is processed: error_code: "session_busy"; svc_api_error_code: "session_busy"',
			"GET /tasks answers a page of at most 20 tasks, and of up to 100 if asked: there are more records, but no cursor to get them (fields 'tasks', 'has_more', 'position')",
			'A callback is signed with the webhook secret over its time and its body, within 60 seconds: another',
		]);
		expect(printed).toContain('5 differ');
		expect(code).toBe(1);
	});

	/** The environment in which the check of a service begins, or can't. */
	type Environment = (service: Sandbox) => Promise<Record<string, string>> | Record<string, string>;
	test.for<[what: string, Environment, args: string[], words: string | RegExp]>([
		[
			'there is no key',
			({ baseUrl }) => ({ LEGAL_AI_BASE_URL: baseUrl }),
			['--yes'],
			'Set LEGAL_AI_API_KEY.',
		],
		['nobody can confirm the cost', accessTo, [], /at most 3 questions[^]*Nobody is here to agree/],
		[
			"the service can't be reached",
			async (service) => ({
				...accessTo(service),
				LEGAL_AI_BASE_URL: `http://127.0.0.1:${await freePort()}/api/v1`,
			}),
			['--yes'],
			"can't be reached (ECONNREFUSED).",
		],
		[
			'the port for callbacks is taken',
			(service) => callbacksAt(service, new URL(service.origin).port),
			['--yes'],
			'(EADDRINUSE). Set LEGAL_AI_CALLBACK_PORT to a free port.',
		],
		[
			'the port for callbacks is no number',
			(service) => ({ ...callbacksAt(service, '1'), LEGAL_AI_CALLBACK_PORT: 'http' }),
			['--yes'],
			"Callbacks can't be received at port http",
		],
		[
			'the address for callbacks is none',
			(service) => ({ ...callbacksAt(service, '0'), LEGAL_AI_CALLBACK_URL: 'localhost:8788' }),
			['--yes'],
			'LEGAL_AI_CALLBACK_URL is no web address.',
		],
	])('ends with 2 if %s', async ([, environment, args, words], { service }) => {
		const { code, printed } = await start(await environment(service), ...args).ended;
		expect(printed).toMatch(words);
		expect(printed).not.toMatch(STACK_TRACE);
		expect(code).toBe(2);
	});

	test('archives its tasks if it is stopped by Ctrl-C', async ({ service }) => {
		const before = service.tasks.ordered().length;
		service.settings.answerTime = [Infinity, Infinity];
		const { program, ended } = start(accessTo(service), '--yes');
		await service.waitForRequest(
			({ route, body, ended: isOver }) =>
				isOver && route === 'PATCH /tasks/:task_id' && isRecord(body) && body.archived === true,
		);
		program.kill('SIGINT');
		expect(await ended).toMatchObject({
			code: 130,
			printed: textWith('Stopped.'),
		});
		expectArchived(service, before);
	});
});
