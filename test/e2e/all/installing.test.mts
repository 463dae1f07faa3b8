import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import manifest from '../../../package.json' with { type: 'json' };
import { askWorkflow } from '../../../harness/callbacks.mts';
import { credentialType } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { installedFolder, projectFolder } from '../../../harness/installedPackage.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import { startN8n } from '../../../harness/n8n.mts';
import { startSandbox } from '../../sandbox/sandbox.mts';
import { CompanyProxy } from '../../support/n8n/companyProxy.mts';
import { keyOf } from '../../support/n8n/service.mts';
import { textLike } from '../../support/matchers.mts';

const registry = 'https://registry.npmjs.org';

/** The paths that were asked for of the registry. */
const asked: string[] = [];

/** Serves what `npm pack` makes, as npm's registry does. */
async function openRegistry() {
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
		dist: { tarball: `${registry}/${name}/-/${name}-${version}.tgz` },
	};
	const answers: Record<string, unknown> = {
		[`/${name}`]: { name, 'dist-tags': { latest: version }, versions: { [version]: published } },
		[`/${name}/latest`]: published,
		[`/${name}/${version}`]: published,
	};
	return createServer(({ url = '' }, response) => {
		asked.push(url);
		if (url.endsWith('.tgz')) response.end(tarball);
		else
			response
				.writeHead(url in answers ? 200 : 404, { 'content-type': 'application/json' })
				.end(JSON.stringify(answers[url] ?? {}));
	});
}

const proxy = await CompanyProxy.ofThisFile();
const server = await openRegistry();
proxy.registry = `http://127.0.0.1:${await listenLocally(server)}`;
afterAll(() => {
	server.close();
});
const n8n = await startN8n({
	environment: { ...proxy.environment, N8N_PATH: undefined, WEBHOOK_URL: undefined },
	hasPackage: false,
});
afterAll(() => n8n.close());
const sandbox = await startSandbox();
afterAll(() => sandbox.close());

/** Runs a workflow with this package's node: the status of the question that it asks. */
async function statusOfQuestion() {
	const credential = await n8n.createCredential(credentialType, 'Legal AI API', keyOf(sandbox));
	const workflow = await n8n.createWorkflow(askWorkflow(credential, {}));
	return itemsOf(await n8n.waitForExecution(await n8n.run(workflow)), 'Ask')[0]?.json.status;
}

test("what is published is installed by n8n's own installer, and its nodes run", async () => {
	await n8n.session.post('/community-packages', { name: 'n8n-nodes-legal-ai' });
	expect(asked).toContainEqual(textLike(/\.tgz$/));
	expect(await statusOfQuestion()).toBe('in_progress');
});

// As after the folder of packages was lost, e.g. with a container that keeps only the database.
test('n8n with N8N_REINSTALL_MISSING_PACKAGES installs the package again if its folder is gone', async () => {
	await n8n.main.stop('SIGTERM');
	await rm(installedFolder(n8n.userFolder), { recursive: true });
	asked.length = 0;
	await n8n.restart({ N8N_REINSTALL_MISSING_PACKAGES: 'true' });
	expect(asked).toContainEqual(textLike(/\.tgz$/));
	expect(await statusOfQuestion()).toBe('in_progress');
});
