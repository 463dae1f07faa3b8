// `npm run install-programs`: installs the programs that `npm run test:all` runs beside n8n, with apt-get.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { InstallationFailed, run } from './progress.mjs';

/** The programs by their Debian packages. */
const testPrograms = {
	chromium: '/usr/bin/chromium',
	postgresql: '/usr/bin/pg_ctlcluster',
	'redis-server': '/usr/bin/redis-server',
};

/** The Debian packages of the programs that this machine lacks. */
export function findMissingPrograms() {
	return Object.entries(testPrograms)
		.filter(([, file]) => !existsSync(file))
		.map(([name]) => name);
}

/** @param {string[]} missing */
async function installPrograms(missing) {
	const what = `Installing ${missing.join(', ')} with apt-get`;
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
		throw new InstallationFailed(
			`${what} requires Debian or Ubuntu, and the root user. Install them in another way.`,
		);
	await run(`${what} (apt-get update)`, '.', ['apt-get', 'update']);
	await run(what, '.', ['apt-get', 'install', '--yes', '--no-install-recommends', ...missing], {
		DEBIAN_FRONTEND: 'noninteractive',
		// Nothing that is installed starts as a service of the machine.
		RUNLEVEL: '1',
	});
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const missing = findMissingPrograms();
	try {
		if (missing.length > 0) await installPrograms(missing);
		else console.log('Chromium, PostgreSQL and Redis are installed.');
	} catch (error) {
		if (!(error instanceof InstallationFailed)) throw error;
		console.error(`\n${error.message}`);
		process.exitCode = 1;
	}
}
