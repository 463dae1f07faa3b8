// `npm run mutants -- <part>`: puts small faults into a folder of nodes/LegalAi/, one at a time, and lists those that no test
// notices. Takes minutes to hours. What only tests notice that are left out here (test/mutants/vitest.config.mts) counts as unnoticed.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [part] = process.argv.slice(2);
if (part === undefined)
	throw new Error('Say which folder of nodes/LegalAi/: npm run mutants -- api');
const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const { status } = spawnSync(process.execPath, [stryker, 'run'], {
	cwd: root,
	env: { ...process.env, MUTANTS_PART: part },
	stdio: 'inherit',
});
// To other tools, what an interrupted run leaves behind would be sources of this package.
rmSync(join(root, '.cache/stryker'), { recursive: true, force: true });
process.exitCode = status ?? 1;
