import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { test } from 'vitest';

import { projectFolder } from '../test/support/n8n/installedPackage.mts';
import { n8nFolder, n8nVersion } from '../test/support/n8n/versions.mts';
import { asList, asRecord } from '../test/support/unknownJson.mts';
import { OURS, resultsOf } from './support/results.mts';
import { alternate, type Measured } from './support/rounds.mts';

const run = promisify(execFile);
const results = resultsOf('package', 'The package itself');

const OWN = ['credentials/LegalAiApi.credentials.js', 'nodes/LegalAi/LegalAi.node.js', 'nodes/LegalAi/LegalAiTrigger.node.js'];
const N8NS = ['credentials/HttpHeaderAuth.credentials.js', 'nodes/HttpRequest/HttpRequest.node.js', 'nodes/Webhook/Webhook.node.js'];

/** Loads files in a fresh process that has loaded what n8n has loaded anyway, and tells how long that took. */
async function loaded(folder: string, files: readonly string[]): Promise<Measured> {
	const script = `
		require('n8n-workflow');
		require('crypto');
		const began = performance.now();
		for (const file of ${JSON.stringify(files)}) for (const Type of Object.values(require('./' + file))) new Type();
		console.log(performance.now() - began);`;
	const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
	return { value: Number(stdout) };
}

test('loading', async () => {
	results.figure({
		what: 'both nodes and the credential are loaded',
		unit: 'ms',
		contenders: await alternate({
			[OURS]: async () => await loaded(join(projectFolder, 'dist'), OWN),
			"n8n's HTTP Request, Webhook and header credential": async () => await loaded(join(n8nFolder(n8nVersion), 'node_modules/n8n-nodes-base/dist'), N8NS),
		}, { rounds: 11 }),
		targets: [{ atMost: 20 }],
		note: 'Each in a fresh process that has loaded n8n-workflow. 11 rounds.',
	});
});

test('size', async () => {
	const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: projectFolder });
	const { size, unpackedSize } = asRecord(asList(JSON.parse(stdout), 'What npm would pack')[0], 'The package');
	results.figure({
		what: 'the published package',
		unit: 'kB packed',
		contenders: { [OURS]: [Number(size) / 1000], unpacked: [Number(unpackedSize) / 1000] },
		targets: [{ atMost: 100 }],
	});
});
