import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import manifest from '../../../package.json' with { type: 'json' };
import {
	callbackPayload,
	askWorkflow,
	deliver,
	triggerWorkflow,
} from '../../../harness/callbacks.mts';
import { credentialType } from '../../../harness/examples.mts';
import { readItems } from '../../../harness/executions.mts';
import { installedFolder, projectFolder } from '../../../harness/installedPackage.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { byHand, chain, legalAi, node } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { textLike } from '../../support/matchers.mts';
import {
	type CompanyProxy,
	n8nAddress,
	serviceOrigin,
	startCompanyProxy,
} from '../../support/n8n/companyProxy.mts';
import { test as base } from '../../support/n8n/fixtures.mts';
import { toCredential } from '../../support/n8n/service.mts';

/** Where n8n keeps files. */
const binaryDataMode = 'database';

/** Serves what `npm pack` makes, as npm's registry does. */
async function startRegistry() {
	const folder = await mkdtemp(join(tmpdir(), 'registry-'));
	const { stdout } = await promisify(execFile)(
		'npm',
		['pack', '--ignore-scripts', '--silent', '--pack-destination', folder],
		{ cwd: projectFolder },
	);
	const tarball = await readFile(join(folder, stdout.trim()));
	await rm(folder, { recursive: true });
	const { name, version } = manifest;
	const published = {
		...manifest,
		dist: { tarball: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz` },
	};
	const answers: Record<string, unknown> = {
		[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
		[`/${name}/latest`]: published,
		[`/${name}/${version}`]: published,
	};
	/** The paths that were asked for. */
	const fetched: string[] = [];
	const server = createServer(({ url = '' }, response) => {
		fetched.push(url);
		if (url.endsWith('.tgz')) response.end(tarball);
		else
			response
				.writeHead(url in answers ? 200 : 404, { 'content-type': 'application/json' })
				.end(JSON.stringify(answers[url] ?? {}));
	});
	return { origin: `http://127.0.0.1:${await listenLocally(server)}`, fetched, server };
}

interface Network {
	/** npm's registry, which has only this package. */
	registry: Awaited<ReturnType<typeof startRegistry>>;
	startedProxy: CompanyProxy;
	/** The company's proxy, which has forgotten the hosts that were asked for before. */
	proxy: CompanyProxy;
	/** An n8n in this network, which has installed the package from the registry. */
	n8n: N8n;
	/** The service, which is outside. */
	service: Sandbox;
	/** A key of the service, as it is known from within. */
	keyBehindProxy: ReturnType<typeof toCredential>;
	/** n8n's credential with this key. */
	credential: StoredCredential;
}

const test = base.extend<Network>({
	registry: [
		async ({}, use) => {
			const registry = await startRegistry();
			await use(registry);
			registry.server.close();
		},
		{ scope: 'file' },
	],
	startedProxy: [
		async ({ registry }, use) => {
			const proxy = await startCompanyProxy();
			proxy.places['registry.npmjs.org'] = registry.origin;
			await use(proxy);
			await proxy.close();
		},
		{ scope: 'file' },
	],
	n8n: [
		async ({ startedProxy }, use) => {
			const n8n = await startN8n({
				environment: {
					...startedProxy.environment,
					N8N_DISABLE_UI: 'true',
					N8N_DEFAULT_BINARY_DATA_MODE: binaryDataMode,
				},
				hasPackage: false,
			});
			startedProxy.places.n8n = n8n.baseUrl;
			await n8n.session.post('/community-packages', { name: manifest.name });
			startedProxy.connected.length = 0;
			await use(n8n);
			await n8n.close();
		},
		{ scope: 'file' },
	],
	proxy: async ({ startedProxy }, use) => {
		startedProxy.connected.length = 0;
		await use(startedProxy);
	},
	service: async ({ startedService, proxy }, use) => {
		await startedService.reset();
		proxy.places['legal-ai.example'] = startedService.origin;
		startedService.files.origin = serviceOrigin;
		// From there, n8n would be found by a name that is not one.
		startedService.callbackFaults.drop = true;
		await use(startedService);
	},
	keyBehindProxy: async ({ service }, use) => {
		await use({ ...toCredential(service), baseUrl: `${serviceOrigin}/api/v1` });
	},
	credential: async ({ n8n, keyBehindProxy }, use) => {
		await use(await n8n.createCredential(credentialType, 'Behind a proxy', keyBehindProxy));
	},
});

const redline = 'Clause 7, struck out.';

test('an n8n below a path and behind a proxy with its own certificate, which has installed what is published, sends a file, is called back and downloads the redline', async ({
	n8n,
	proxy,
	service,
	credential,
}) => {
	service.settings.answer = () => ({
		status: 'completed',
		answer: 'Strike clause 7.',
		after: Infinity,
		attachments: [
			{ fileName: 'redline.txt', contentType: 'text/plain', content: Buffer.from(redline) },
		],
	});
	const ask = legalAi('Ask', credential, {
		resource: 'question',
		operation: 'askAndWait',
		question: 'May we sign?',
		attachments: { attachment: [{ source: 'allBinary' }] },
		options: { downloadFiles: true },
	});
	const contract = node(
		'Contract',
		'n8n-nodes-base.set',
		{ mode: 'raw', jsonOutput: '{"text":"A contract"}' },
		{ typeVersion: 3.4 },
	);
	const file = node(
		'File',
		'n8n-nodes-base.convertToFile',
		{ operation: 'toText', sourceProperty: 'text', options: { fileName: 'nda.txt' } },
		{ typeVersion: 1.1 },
	);
	const workflow = await n8n.createWorkflow(chain('Sends a file', [byHand, contract, file, ask]));
	const parked = await n8n.waitForExecution(await n8n.run(workflow), [
		'waiting',
		'error',
		'success',
	]);
	expect(parked).toMatchObject({ status: 'waiting', failure: undefined });

	const [question] = service.questions;
	const { origin, pathname, searchParams } = new URL(question?.callbackUrl ?? '');
	expect(`${origin}${pathname}`).toBe(`${n8nAddress}webhook-waiting/${parked.id}/legal-ai`);
	expect([...searchParams.keys()]).toEqual(['signature', 'q']);
	expect([...service.files.jobs.values()]).toMatchObject([
		{ upload: { sha256: createHash('sha256').update('A contract').digest('hex') } },
	]);
	await service.complete(question?.id ?? '');
	const callbackUrl = proxy.fromOutside(question?.callbackUrl ?? '');
	expect((await deliver(service, callbackUrl, callbackPayload()))[0]).toBe(200);

	const over = await n8n.waitForExecution(parked.id);
	const [item] = readItems(over, 'Ask');
	expect(item?.json).toMatchObject({ answer: 'Strike clause 7.' });
	const fetched = item?.binary?.file_0;
	expect(fetched?.id?.startsWith(binaryDataMode)).toBe(true);
	expect(fetched && (await n8n.binary(fetched)).toString()).toBe(redline);
	expect(new Set(proxy.connected)).toEqual(new Set(['legal-ai.example:443']));
});

test('an n8n below a path finds its own trigger, which receives the answer', async ({
	n8n,
	proxy,
	service,
	credential,
}) => {
	const answering = await n8n.publish(triggerWorkflow(credential));
	const callbackWorkflow = answering.id;
	const asking = await n8n.createWorkflow(
		askWorkflow(credential, { callbackTarget: 'workflow', callbackWorkflow }),
	);
	expect((await n8n.runToEnd(asking)).failure).toBeUndefined();
	const callbackUrl = service.questions[0]?.callbackUrl ?? '';
	expect(callbackUrl).toBe(`${n8nAddress}webhook/legal-ai/${answering.id}?assistant_id=default`);
	expect(proxy.connected).toContain('n8n.example:443');

	expect((await deliver(service, proxy.fromOutside(callbackUrl), callbackPayload()))[0]).toBe(200);
	expect(await n8n.waitForNextExecution(answering.id, [])).toMatchObject({ status: 'success' });
});

test('the credential test uses the proxy, and bypasses it if NO_PROXY says so', async ({
	n8n,
	proxy,
	service,
	keyBehindProxy,
	credential,
}) => {
	expect(await n8n.testCredential(credential, keyBehindProxy)).toMatchObject({ status: 'OK' });
	expect(proxy.connected).toEqual(['legal-ai.example:443']);
	proxy.places['legal-ai.example'] = 'http://127.0.0.1:1';
	expect(await n8n.testCredential(credential, toCredential(service))).toMatchObject({
		status: 'OK',
	});
});

// As after the folder of packages was lost, e.g. with a container that keeps only the database.
test('n8n with N8N_REINSTALL_MISSING_PACKAGES installs the package again; if its webhook endpoint is renamed, no question is asked whose answer would be lost, and the pasted address of the trigger works', async ({
	n8n,
	proxy,
	registry,
	service,
	credential,
}) => {
	const answering = await n8n.publish(triggerWorkflow(credential));
	await n8n.main.stop('SIGTERM');
	await rm(installedFolder(n8n.userFolder), { recursive: true });
	registry.fetched.length = 0;
	await n8n.restart({ N8N_REINSTALL_MISSING_PACKAGES: 'true', N8N_ENDPOINT_WEBHOOK: 'hooks' });
	expect(registry.fetched).toContainEqual(textLike(/\.tgz$/));

	const ask = async (target: Parameters<typeof askWorkflow>[1]) =>
		await n8n.runToEnd(await n8n.createWorkflow(askWorkflow(credential, target)));
	const misled = await ask({ callbackTarget: 'workflow', callbackWorkflow: answering.id });
	expect(misled.failure?.message).toContain('No Legal AI Trigger listens in');
	expect(misled.failure?.description).toContain('paste the Production URL');
	expect(service.questions).toEqual([]);

	const callbackUrl = `${n8nAddress}hooks/legal-ai/${answering.id}`;
	expect((await ask({ callbackTarget: 'url', callbackUrl })).failure).toBeUndefined();
	const [{ callbackUrl: told = '' } = {}] = service.questions;
	await deliver(service, proxy.fromOutside(told), callbackPayload());
	expect(await n8n.waitForNextExecution(answering.id, [])).toMatchObject({ status: 'success' });
}, 240_000);
