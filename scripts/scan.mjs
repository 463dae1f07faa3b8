// `npm run scan`: n8n's scanner for community packages, on the two things that it looks at once a version is published: the
// sources, and the packed files. Its own command takes published packages alone, so these are the calls that it makes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} what
 * @param {string} folder
 * @param {string[]} patterns
 */
async function scan(what, folder, patterns) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	console.log(`${what}: ${passed ? 'passed' : message}`);
	if (details !== undefined) console.log(details);
	if (!passed) process.exitCode = 1;
}

const unpacked = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', unpacked], {
		cwd: root,
		stdio: 'ignore',
	});
	execFileSync('sh', ['-c', 'tar -xzf *.tgz'], { cwd: unpacked });
	await scan('The sources', root, SOURCE_FILE_PATTERNS);
	await scan('The packed files', join(unpacked, 'package'), ['**/*.js', 'package.json']);
} finally {
	rmSync(unpacked, { recursive: true });
}
