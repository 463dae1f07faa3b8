// `npm start`: a real n8n with this package in it, a sandbox service for it to ask, and one contract sent in.
import { mkdir } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';

import { bundledContract, exampleNames, importExample } from '../harness/examples.mts';
import { formLogin } from '../harness/form.mts';
import { projectFolder } from '../harness/installedPackage.mts';
import { takePort } from '../harness/localServer.mts';
import { type N8n, startN8n } from '../harness/n8n.mts';
import { testOwner } from '../harness/restSession.mts';
import { type Sandbox, startSandbox } from '../test/sandbox/sandbox.mts';
import {
	answerTime,
	demoCredential,
	formCredential,
	n8nPort,
	sandboxPort,
	sendContractIn,
	stopSignal,
} from './demo.mts';

const userFolder = join(projectFolder, '.cache', 'n8n-demo');
const stopsAfterRun = process.argv.includes('--once');

/** A reason not to go on that someone can do something about. */
class CannotStart extends Error {}

async function assertFree(port: number, variable: string) {
	const server = await takePort(port);
	if (server === undefined)
		throw new CannotStart(
			`Port ${port} is already in use. Stop the program that uses it, or set ${variable} to another port.`,
		);
	server.close();
	await once(server, 'close');
}

async function start() {
	await assertFree(n8nPort, 'N8N_PORT');
	await assertFree(sandboxPort, 'LEGAL_AI_SANDBOX_PORT');
	const sandbox = await startSandbox({ port: sandboxPort, answerTime });
	console.log(`The sandbox service is running at ${sandbox.origin} (answers take a few seconds)`);
	console.log('Starting n8n …');
	await mkdir(userFolder, { recursive: true });
	const environment = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };
	const n8n = await startN8n({ port: n8nPort, userFolder, environment });
	console.log(`n8n is running at ${n8n.baseUrl}\n`);
	return { n8n, sandbox };
}

async function runDemo(n8n: N8n, sandbox: Sandbox) {
	const credentials = [await demoCredential(n8n, sandbox), await formCredential(n8n)];
	const names = await exampleNames();
	for (const name of names) await importExample(n8n, name, ...credentials);
	console.log(`Imported ${names.length} examples`);
	const intake = await importExample(n8n, 'intake.json', ...credentials);
	const contract = await bundledContract('mutual-nda.pdf');
	console.log(`Submitting ${contract.fileName} to the form of "${intake.name}" …\n`);
	const outcome = await sendContractIn(n8n, intake, contract);
	console.log(outcome.report);
	return outcome.isCompleted;
}

function farewell(n8n: N8n, sandbox: Sandbox) {
	return [
		'',
		`Editor:   ${n8n.baseUrl}`,
		`Email:    ${testOwner.email}`,
		`Password: ${testOwner.password}`,
		'',
		`The forms of the examples ask for the user name ${formLogin.user} and the password ${formLogin.password}.`,
		'',
		'The sandbox makes up its answers, the values of answer fields and redlines, too.',
		'',
		'To create a credential by hand, enter:',
		`Base URL:       ${sandbox.baseUrl}`,
		`API Key:        ${sandbox.apiKey}`,
		`Webhook Secret: ${sandbox.webhookSecret}`,
		'',
		'Press Ctrl-C to stop n8n and the sandbox service.',
	].join('\n');
}

async function main() {
	let isServing = false;
	const stop = stopSignal().then(() => {
		// Before everything is up there is nothing to end in good order: n8n goes down with this process.
		if (!isServing) process.exit(130);
	});
	const { n8n, sandbox } = await start();
	try {
		const isCompleted = await runDemo(n8n, sandbox);
		if (stopsAfterRun) return isCompleted ? 0 : 1;
		console.log(farewell(n8n, sandbox));
		isServing = true;
		const crashed = await Promise.race([stop.then(() => false), n8n.main.ended().then(() => true)]);
		if (crashed) console.error(`n8n stopped unexpectedly. Its log:\n${n8n.main.log}`);
		return crashed ? 1 : 0;
	} finally {
		console.log('Stopping …');
		await n8n.close();
		await sandbox.close();
	}
}

try {
	process.exitCode = await main();
} catch (failure) {
	if (!(failure instanceof CannotStart)) throw failure;
	console.error(failure.message);
	process.exitCode = 1;
}
