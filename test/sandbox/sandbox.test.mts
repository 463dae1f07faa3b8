import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { ask, call, sandboxForTests } from '../support/sandboxClient.mts';
import { textLike } from '../support/matchers.mts';

const lines: string[] = [];
const sandbox = await sandboxForTests({ log: (line) => lines.push(line) });

describe('a sandbox', () => {
	test('the sandbox writes one line a request, without secrets', async () => {
		lines.length = 0;
		await call(sandbox, 'GET', '/me?secret=hidden');
		await sandbox.waitForRequest(({ ended }) => ended);
		expect(lines).toEqual([textLike(/^\d{4}-\S+Z GET \/api\/v1\/me 200 \d+ ms$/)]);
	});

	test('a reset takes the sandbox back to its start', async () => {
		await ask(sandbox, { question: 'x' });
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
		expect(await call(sandbox, 'GET', '/assistants')).toMatchObject({
			status: 200,
			body: [{ id: 'default' }, {}],
		});
	});
});

describe('the program', () => {
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
		const baseUrl = /Base URL\s+(\S+)/.exec(printed)?.[1] ?? '';
		const apiKey = /API key\s+(\S+)/.exec(printed)?.[1] ?? '';
		expect(printed).toMatch(/Webhook secret\s+\S+/);
		expect(baseUrl).toMatch(/\/api\/v1$/);
		expect(await call({ baseUrl, apiKey }, 'GET', '/me')).toMatchObject({ status: 200 });
		program.kill('SIGINT');
		expect(await ended).toEqual([0, null]);
	});
});
