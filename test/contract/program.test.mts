import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

import { isRecord } from '../../harness/unknownJson.mts';
import { CHECK_NAME } from './checkedService.mts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';

const TIME_SCALE = 60;

interface Ended {
	readonly code: unknown;
	readonly printed: string;
	readonly folder: string;
}

/** Starts `npm run check-service` in a folder of its own. */
function start(env: Readonly<Record<string, string>>, ...args: readonly string[]): { program: ChildProcess; ended: Promise<Ended> } {
	const folder = mkdtempSync(join(tmpdir(), 'check-service-'));
	const program = spawn(process.execPath, [fileURLToPath(new URL('main.mts', import.meta.url)), ...args], {
		cwd: folder,
		env: { PATH: process.env.PATH, LEGAL_AI_SANDBOX_TIME_SCALE: String(TIME_SCALE), ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const printed: string[] = [];
	for (const output of [program.stdout, program.stderr]) output.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
	const ended = once(program, 'close').then(([code]: unknown[]) => ({ code, printed: printed.join(''), folder }));
	return { program, ended };
}

const run = (...how: Parameters<typeof start>): Promise<Ended> => start(...how).ended;

const accessTo = ({ baseUrl, apiKey }: Pick<Sandbox, 'baseUrl' | 'apiKey'>): Record<string, string> => ({ LEGAL_AI_BASE_URL: baseUrl, LEGAL_AI_API_KEY: apiKey });

/** A sandbox that answers in three minutes of its time, for the length of a test. */
async function withSandbox(check: (sandbox: Sandbox) => Promise<void>): Promise<void> {
	const sandbox = await startSandbox({ timeScale: TIME_SCALE, answerTime: [180_000, 180_000] });
	try {
		await check(sandbox);
	} finally {
		await sandbox.close();
	}
}

describe('npm run check-service', () => {
	test('ends with 0 and a report at a service that is as read, and leaves nothing but archived tasks', async () => {
		await withSandbox(async (sandbox) => {
			const before = sandbox.tasks.ordered().length;
			const { code, printed, folder } = await run(accessTo(sandbox), '--yes');
			expect(printed).toMatch(/^as read +GET \/me tells the user/m);
			expect(printed).toMatch(/^not tried +A callback is signed.*\n +needs LEGAL_AI_WEBHOOK_SECRET/m);
			expect(printed).toMatch(/\d+ as read, 0 differ, \d+ not tried/);
			expect(code).toBe(0);
			const left = sandbox.tasks.ordered().filter(({ title }) => title === CHECK_NAME);
			expect(left).toMatchObject([{ archived: true }, { archived: true }]);
			expect(sandbox.tasks.ordered()).toHaveLength(before + left.length);
			const report = readFileSync(join(folder, 'check-service-report.md'), 'utf8');
			expect(report).toContain('| as read | GET /tasks/{task_id} answers the task |  |');
			const answer = sandbox.questions[0]?.answer ?? 'none';
			const secrets = [sandbox.apiKey, new URL(sandbox.origin).host, sandbox.organization.user.user_email, answer.slice(0, 40)];
			for (const secret of secrets) expect(report).not.toContain(secret);
		});
	});

	test('ends with 1 at a service that differs, and says how', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.faults.add({ kind: 'body', times: Infinity, match: 'GET /me', body: (body) => body.replace('customer_name', 'organization') });
			const { code, printed } = await run(accessTo(sandbox), '--yes');
			expect(printed).toMatch(/^differs +GET \/me tells .*\n +expected customer_name: text; seen customer_name: nothing$/m);
			expect(code).toBe(1);
		});
	});

	test.each([
		['no key', { LEGAL_AI_BASE_URL: 'http://127.0.0.1:1/api/v1' }, ['--yes'], 'Set LEGAL_AI_API_KEY.'],
		['no address', { LEGAL_AI_API_KEY: 'sk-svc-api1-a' }, ['--yes'], 'Set LEGAL_AI_BASE_URL, which ends in /api/v1.'],
		['nobody to agree', { LEGAL_AI_BASE_URL: 'http://127.0.0.1:1/api/v1', LEGAL_AI_API_KEY: 'sk-svc-api1-a' }, [], /at most 3 questions[^]*Nobody is here to agree/],
	])('ends with 2 if there is %s', async (_what, env, args, words) => {
		const { code, printed } = await run(env as Record<string, string>, ...args);
		expect(printed).toMatch(words);
		expect(code).toBe(2);
	});

	test('archives its tasks if it is stopped by Ctrl-C', async () => {
		await withSandbox(async (sandbox) => {
			sandbox.settings.answerTime = [Infinity, Infinity];
			const run = start(accessTo(sandbox), '--yes');
			await sandbox.waitForRequest(({ route, body, ended }) => ended && route === 'PATCH /tasks/:task_id' && isRecord(body) && body.archived === true);
			run.program.kill('SIGINT');
			expect(await run.ended).toMatchObject({ code: 130, printed: expect.stringContaining('Stopped.') as unknown });
			const left = sandbox.tasks.ordered().filter(({ title }) => title === CHECK_NAME);
			expect(left).toMatchObject([{ archived: true }, { archived: true }]);
		});
	});

	test('ends with 2 if the service can not be reached', async () => {
		const sandbox = await startSandbox();
		await sandbox.close();
		const { code, printed } = await run(accessTo(sandbox), '--yes');
		expect(printed).toContain("The service at LEGAL_AI_BASE_URL can't be reached (ECONNREFUSED).");
		expect(code).toBe(2);
	});

	test('ends with 2 if the service does not take the key', async () => {
		await withSandbox(async (sandbox) => {
			const { code, printed } = await run({ ...accessTo(sandbox), LEGAL_AI_API_KEY: 'sk-svc-api1-old' }, '--yes');
			expect(printed).toMatch(/GET \/me below LEGAL_AI_BASE_URL answers 401/);
			expect(code).toBe(2);
		});
	});
});
