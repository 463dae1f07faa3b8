import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What n8n-core reads from the environment when it loads. Import this first: it sets a folder for this process, which is removed
// when the process ends, so that nothing of a real n8n on this machine is read or written. A worker of the test runner loads
// this again for each test file, and n8n-core once.
const prefix = join(tmpdir(), `legal-ai-engine-${process.pid}-`);

if (process.env.N8N_USER_FOLDER?.startsWith(prefix) !== true) {
	const folder = mkdtempSync(prefix);
	process.env.N8N_USER_FOLDER = folder;
	process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
	process.env.N8N_LOG_LEVEL = 'silent';

	const remove = () => {
		rmSync(folder, { recursive: true, force: true });
	};
	process.once('exit', remove);
	// The test runner ends its workers by a signal, which would skip the above.
	process.once('SIGTERM', (signal) => {
		remove();
		process.kill(process.pid, signal);
	});
}
