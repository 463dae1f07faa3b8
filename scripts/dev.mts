// `npm run dev`: a real n8n with this package in it, and a sandbox service. What is saved in the sources is compiled, and n8n loads it
// at once. Icons, codex files and output schemas take a new start.
import { spawnSync } from 'node:child_process';
import { cpSync, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { installedFolder, projectFolder } from '../harness/installedPackage.mts';
import { startN8n } from '../harness/n8n.mts';
import { testOwner } from '../harness/restSession.mts';
import { startSandbox } from '../test/sandbox/sandbox.mts';
import { answerTime, demoCredential, n8nPort, sandboxPort, stopSignal } from './demo.mts';

const userFolder = join(projectFolder, '.cache', 'n8n-dev');

await mkdir(userFolder, { recursive: true });
await using closing = new AsyncDisposableStack();
const sandbox = await startSandbox({ port: sandboxPort, answerTime });
closing.defer(() => sandbox.close());
const n8n = await startN8n({ port: n8nPort, userFolder, environment: { N8N_DEV_RELOAD: 'true' } });
closing.defer(() => n8n.close());
await demoCredential(n8n, sandbox);

/** Compiles what is saved, and puts it where n8n watches. A failure is printed, and n8n keeps what it has. */
function compile() {
	const { status } = spawnSync('gulp', ['-L'], { cwd: projectFolder, stdio: 'inherit' });
	if (status === 0)
		cpSync(join(projectFolder, 'dist'), join(installedFolder(userFolder), 'dist'), {
			recursive: true,
		});
}

let planned: NodeJS.Timeout | undefined;
for (const folder of ['nodes', 'credentials']) {
	const watcher = watch(join(projectFolder, folder), { recursive: true }, () => {
		clearTimeout(planned);
		planned = setTimeout(compile, 100);
	});
	closing.defer(() => {
		watcher.close();
	});
}

console.log(
	`n8n:     ${n8n.baseUrl} (${testOwner.email}, ${testOwner.password})\nSandbox: ${sandbox.baseUrl}\nCtrl-C stops both.\n`,
);
await Promise.race([stopSignal(), n8n.main.ended()]);
