import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { itemsOf } from '../../../harness/executions.mts';
import { installedFolder, projectFolder } from '../../../harness/installedPackage.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import { startN8n, type N8n } from '../../../harness/n8n.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { chain, legalAi, node } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { CompanyProxy } from '../companyProxy.mts';
import { openService } from '../service.mts';

const registry = 'https://registry.npmjs.org';

let folder: string;
let proxy: CompanyProxy;
let n8n: N8n;
let sandbox: Sandbox;
let workflow: StoredWorkflow;
/** The paths that were asked for of the registry. */
const asked: string[] = [];
const server = createServer();

/** Serves what `npm pack` makes, as npm's registry does. */
async function openRegistry(): Promise<string> {
	folder = await mkdtemp(join(tmpdir(), 'registry-'));
	const { stdout } = await promisify(execFile)('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: projectFolder });
	const tarball = await readFile(join(folder, stdout.trim()));
	const manifest = asRecord(JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')), 'package.json');
	const [name, version] = [asText(manifest.name, 'The name'), asText(manifest.version, 'The version')];
	const published = { ...manifest, dist: { tarball: `${registry}/${name}/-/${name}-${version}.tgz` } };
	const answers: Record<string, unknown> = {
		[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
		[`/${name}/latest`]: published,
		[`/${name}/${version}`]: published,
	};
	server.on('request', ({ url = '' }, response) => {
		asked.push(url);
		if (url.endsWith('.tgz')) response.end(tarball);
		else response.writeHead(url in answers ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answers[url] ?? {}));
	});
	return `http://127.0.0.1:${await listenLocally(server)}`;
}

/** n8n as it is after its folder of packages was lost, e.g. with a container that keeps only the database. */
async function restartWithoutPackage(changes: Record<string, string> = {}): Promise<void> {
	await n8n.kill('SIGTERM');
	await rm(installedFolder(n8n.userFolder), { recursive: true });
	asked.length = 0;
	await n8n.restart(changes);
}

const answerOf = async (): Promise<unknown> => itemsOf(await n8n.waitForExecution(await n8n.run(workflow)), 'Ask')[0]?.json.status;

beforeAll(async () => {
	proxy = await CompanyProxy.start();
	n8n = await startN8n({ environment: { ...proxy.environment, N8N_PATH: undefined, WEBHOOK_URL: undefined } });
	proxy.registry = await openRegistry();
	const service = await openService(n8n);
	({ sandbox } = service);
	const question = { resource: 'question', operation: 'ask', question: 'May we sign?' };
	const nodes = [node('Start', 'n8n-nodes-base.manualTrigger', {}), legalAi('Ask', service.credential, question)];
	workflow = await n8n.createWorkflow(chain('Asks', nodes));
});
afterAll(async () => {
	await n8n.close();
	await sandbox.close();
	await proxy.close();
	server.close();
	await rm(folder, { recursive: true });
});

test("what is published is installed by n8n's own installer, and its nodes run", async () => {
	await restartWithoutPackage();
	await n8n.session.post('/community-packages', { name: 'n8n-nodes-legal-ai' });
	expect(asked).toContainEqual(expect.stringMatching(/\.tgz$/));
	expect(await answerOf()).toBe('in_progress');
});

test('n8n with N8N_REINSTALL_MISSING_PACKAGES installs the package again if its folder is gone', async () => {
	await restartWithoutPackage({ N8N_REINSTALL_MISSING_PACKAGES: 'true' });
	expect(asked).toContainEqual(expect.stringMatching(/\.tgz$/));
	expect(await answerOf()).toBe('in_progress');
});
