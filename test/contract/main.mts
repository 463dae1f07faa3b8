// Checks whether a service is as this package reads the specification: npm run check-service. See CONTRIBUTING.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

import { receiveCallbacks } from './callbackReceiver.mts';
import { CannotBegin, checkService, COST } from './checkService.mts';
import { writeLine, writeReport, writeSummary } from './report.mts';

const REPORT = 'check-service-report.md';
const { env, argv, stdin, stdout } = process;

function needed(name: string) {
	const value = env[name];
	if (!value)
		throw new CannotBegin(
			`Set ${name}${name === 'LEGAL_AI_BASE_URL' ? ', which ends in /api/v1' : ''}.`,
		);
	return value;
}

async function isAgreed() {
	console.log(`${COST}\n`);
	if (argv.includes('--yes')) return true;
	if (!stdin.isTTY)
		throw new CannotBegin(
			'Nobody is here to agree to that. With "-- --yes", the check begins without asking.',
		);
	const terminal = createInterface({ input: stdin, output: stdout });
	const answer = await terminal.question('Begin? [y/N] ');
	terminal.close();
	return /^y(es)?$/i.test(answer.trim());
}

async function callbackReceiver() {
	const {
		LEGAL_AI_WEBHOOK_SECRET: secret,
		LEGAL_AI_CALLBACK_URL: url,
		LEGAL_AI_CALLBACK_PORT: port = '8788',
	} = env;
	if (!secret || !url) {
		console.log(
			'Callbacks are not tried: that needs LEGAL_AI_WEBHOOK_SECRET and LEGAL_AI_CALLBACK_URL.\n',
		);
		return undefined;
	}
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
		throw new CannotBegin('LEGAL_AI_CALLBACK_URL is no web address.');
	return await receiveCallbacks(secret, Number(port), url).catch((error: unknown) => {
		const { code = String(error) } = error as NodeJS.ErrnoException;
		throw new CannotBegin(
			`Callbacks can't be received at port ${port} (${code}). Set LEGAL_AI_CALLBACK_PORT to a free port.`,
		);
	});
}

async function main(): Promise<number> {
	const access = { baseUrl: needed('LEGAL_AI_BASE_URL'), apiKey: needed('LEGAL_AI_API_KEY') };
	if (!URL.canParse(access.baseUrl)) throw new CannotBegin('LEGAL_AI_BASE_URL is no address.');
	if (!(await isAgreed())) throw new CannotBegin('Nothing was sent.');
	const callbacks = await callbackReceiver();
	const stop = new AbortController();
	process.once('SIGINT', () => {
		stop.abort();
	});
	const timeScale = Number(env.LEGAL_AI_SANDBOX_TIME_SCALE ?? 1);
	const progress = (line: string) => {
		if (stdout.isTTY) stdout.write(`\r\u001b[K${line}`);
	};
	try {
		const rows = await checkService(
			{ ...access, callbacks, timeScale, progress, signal: stop.signal },
			(row) => {
				progress('');
				console.log(writeLine(row));
			},
		);
		const { version } = JSON.parse(
			readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
		) as { version: string };
		writeFileSync(REPORT, writeReport(rows, version));
		console.log(
			`\n${writeSummary(rows)}. For an issue: ${REPORT}, which has no key, no address and no answer in it.`,
		);
		return rows.some(({ verdict }) => verdict === 'differs') ? 1 : 0;
	} finally {
		callbacks?.close();
	}
}

process.exitCode = await main().catch((error: unknown) => {
	if (error instanceof Error && error.name === 'AbortError') {
		console.error('\nStopped. The tasks of the check are archived.');
		return 130;
	}
	if (!(error instanceof CannotBegin)) throw error;
	console.error(error.message);
	return 2;
});
