import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../test/sandbox/sandbox.mts';
import { serviceSignature } from '../test/sandbox/signature.mts';
import { completed, deliver, triggerUrl, triggerWorkflow, unixTime } from '../test/support/n8n/callbacks.mts';
import { credentialType } from '../test/support/n8n/examples.mts';
import { itemsOf } from '../test/support/n8n/executions.mts';
import { type N8n, startN8n } from '../test/support/n8n/n8n.mts';
import type { StoredWorkflow } from '../test/support/n8n/n8nClient.mts';
import { freePort } from '../test/support/n8n/n8nProcess.mts';
import { chain, legalAi, node } from '../test/support/n8n/workflows.mts';
import { asText } from '../test/support/unknownJson.mts';
import { OURS, resultsOf } from './support/results.mts';
import { alternate, isQuick, type Measured, median } from './support/rounds.mts';

const secret = 'whsec-attack';
const FLOOD = isQuick ? 50 : 200;
/** Shorter gaps are nothing that anybody would feel, and n8n makes such ones by itself. */
const FELT_MS = 50;
const STOCK = 'Webhook node, header auth';
const WAITING = 'Legal AI, a node that waits';
const STOCK_WAITING = 'Wait node, header auth';
/** What each is compared with. */
const COMPARED = [{ of: OURS, against: STOCK }, { of: WAITING, against: STOCK_WAITING }];

const results = resultsOf('attack', 'Attacks on the addresses for callbacks');

let n8n: N8n;
let sandbox: Sandbox;
let gapPort: number;
/** Addresses that anybody can post to: n8n's own Webhook and Wait nodes that want a header, the trigger, a node that waits. */
let receivers: Readonly<Record<string, string>>;
let trigger: StoredWorkflow;

beforeAll(async () => {
	gapPort = await freePort();
	sandbox = await startSandbox({ webhookSecret: secret, answerTime: [3_600_000, 3_600_000] });
	const monitor = pathToFileURL(join(import.meta.dirname, 'support', 'loopGap.mts')).href;
	n8n = await startN8n({ environment: { NODE_OPTIONS: `--import=${monitor}`, LOOP_GAP_PORT: String(gapPort) } });
	const { apiKey, baseUrl } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Attacked', { baseUrl, apiKey, webhookSecret: secret });
	const header = await n8n.createCredential('httpHeaderAuth', 'Header', { name: 'x-token', value: 'right' });

	const parameters = { httpMethod: 'POST', path: 'stock', authentication: 'headerAuth', responseMode: 'onReceived' };
	const credentials = { httpHeaderAuth: { id: header.id, name: header.name } };
	const stock = node('Webhook', 'n8n-nodes-base.webhook', parameters, { typeVersion: 1, webhookId: 'stock', credentials });
	await n8n.publish(chain('Stock', [stock, node('Next', 'n8n-nodes-base.noOp', {})]));
	trigger = await n8n.publish(triggerWorkflow(credential));
	const question = { resource: 'question', operation: 'askAndWait', question: 'Why?' };
	const waiting = await n8n.createWorkflow(
		chain('Waits', [node('Start', 'n8n-nodes-base.manualTrigger', {}), legalAi('Ask', credential, question)]),
	);
	await n8n.waitForExecution(await n8n.run(waiting), ['waiting']);
	const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
	const address = node('Address', 'n8n-nodes-base.set', {
		...{ mode: 'raw', jsonOutput: '={{ JSON.stringify({ url: $execution.resumeUrl }) }}', options: {} },
	}, { typeVersion: 3.4 });
	const resume = { resume: 'webhook', httpMethod: 'POST', incomingAuthentication: 'headerAuth', options: {} };
	const wait = node('Wait', 'n8n-nodes-base.wait', resume, { typeVersion: 1.1, webhookId: 'wait', credentials });
	const stockWaiting = await n8n.createWorkflow(chain('Stock waits', [start, address, wait]));
	const parked = await n8n.waitForExecution(await n8n.run(stockWaiting), ['waiting']);
	receivers = {
		[STOCK]: `${n8n.baseUrl}/webhook/stock`,
		[OURS]: triggerUrl(n8n, trigger),
		[WAITING]: sandbox.questions[0]?.callbackUrl ?? '',
		[STOCK_WAITING]: asText(itemsOf(parked, 'Address')[0]?.json.url, 'The address of the Wait node'),
	};
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
});

const MEGABYTE = 1024 * 1024;
const attacks: Readonly<Record<string, string>> = {
	'3.9 MB of text': JSON.stringify(completed({ answer: 'x'.repeat(3.9 * MEGABYTE) })),
	'15 MB of text': JSON.stringify(completed({ answer: 'x'.repeat(15 * MEGABYTE) })),
	'15 MB of fields': `{"id":"q","status":"completed"${',"a":1'.repeat(2.4 * MEGABYTE)}}`,
	'15 MB of objects': `{"id":"q","a":[${'{"__proto__":{}},'.repeat(0.9 * MEGABYTE)}1]}`,
	'100,000 levels': `{"id":"q","a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
	'a gzip bomb of 200 MB': 'x'.repeat(200 * MEGABYTE),
};

/** The longest gap of n8n's event loop in ms since the last call; `rest` lets n8n collect its garbage before. */
async function longestGap(path: 'gap' | 'rest' = 'gap'): Promise<number> {
	return Number(await (await fetch(`http://127.0.0.1:${gapPort}/${path}`)).text());
}

/** The status of the answer; 499 if n8n cut the connection. */
async function send(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		body: new Uint8Array(body),
		headers: { 'content-type': 'application/json', ...headers },
	}).catch(() => undefined);
	await response?.arrayBuffer().catch(() => undefined);
	return response?.status ?? 499;
}

/** For how long n8n's event loop stands still while something is sent, all of which has to be turned away. */
async function gapWhile(attack: () => Promise<number[]>): Promise<Measured> {
	await longestGap('rest');
	const statuses = await attack();
	expect(Math.min(...statuses)).toBeGreaterThanOrEqual(400);
	return { value: await longestGap() };
}

/** Attacks each receiver in turns, and records the gaps. */
async function attackAll(what: string, attack: (url: string) => Promise<number[]>): Promise<void> {
	const contenders = Object.entries(receivers).map(([name, url]) => [name, async () => await gapWhile(async () => await attack(url))] as const);
	const measured = await alternate(Object.fromEntries(contenders));
	const isFelt = Object.values(measured).some(({ values }) => median(values) >= FELT_MS);
	results.figure({
		what: `${what}, unsigned: longest gap of the event loop`,
		unit: 'ms',
		contenders: measured,
		targets: COMPARED.flatMap((compared) => [
			{ ...compared, isDifference: true, atMost: 300 },
			...(isFelt ? [{ ...compared, atMost: 1.5 }] : []),
		]),
		note: `Ratios count from ${FELT_MS} ms on: what n8n does besides makes gaps below that.`,
	});
}

test('whatever is posted without the secret is turned away, and n8n stays up', async () => {
	for (const [what, text] of Object.entries(attacks)) {
		const body = gzipSync(text);
		const signature = serviceSignature('forged', unixTime(), text);
		await attackAll(what, async (url) => [await send(url, body, { 'content-encoding': 'gzip', 'service-signature': signature })]);
	}
	const small = JSON.stringify(completed());
	await attackAll(`${FLOOD} callbacks at once`, async (url) => {
		const signature = serviceSignature('forged', unixTime(), small);
		return await Promise.all(Array.from({ length: FLOOD }, async () => await send(url, Buffer.from(small), { 'service-signature': signature })));
	});

	expect(n8n.log.match(/rejected a callback/g)?.length ?? 0).toBeLessThan(20);
	expect(await n8n.executions(trigger.id)).toEqual([]);
	expect(await deliver(triggerUrl(n8n, trigger), secret, completed())).toMatchObject({ status: 200 });
});
