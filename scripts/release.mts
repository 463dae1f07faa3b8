// `npm run release -- <version>`: makes what is under "Unreleased" in CHANGELOG.md a version, commits that and tags it. The
// tag, once pushed, publishes it (.github/workflows/publish.yml). With `--dry-run` nothing changes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { projectFolder } from '../harness/installedPackage.mts';
import { asRecord, asText } from '../harness/unknownJson.mts';
import { ChangelogError, releaseEntries, unreleasedEntries } from './changelog.mts';

const branch = 'main';
const changelogFile = join(projectFolder, 'CHANGELOG.md');

function run(program: string, ...args: readonly string[]) {
	return execFileSync(program, args, {
		cwd: projectFolder,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	}).trim();
}

/** What keeps this checkout from being released; each a sentence that says what to do. */
function obstacles(version: string): readonly string[] {
	const found: string[] = [];
	if (run('git', 'status', '--porcelain') !== '')
		found.push('There are uncommitted changes. Commit them.');
	const current = run('git', 'rev-parse', '--abbrev-ref', 'HEAD');
	if (current !== branch) found.push(`The branch is "${current}". Check out "${branch}".`);
	if (run('git', 'tag', '--list', version) !== '')
		found.push(`The tag ${version} exists. Choose another version.`);
	const manifest = asRecord(
		JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')),
		'package.json',
	);
	const { email } = asRecord(manifest.author, 'The author in package.json');
	if (asText(email, 'The e-mail of the author').endsWith('.example')) {
		found.push(
			'"author" in package.json is a placeholder. Enter the name and the e-mail of the npm account that publishes.',
		);
	}
	return found;
}

function release(version: string, changelog: string) {
	const today = new Date().toISOString().slice(0, 10);
	writeFileSync(changelogFile, releaseEntries(changelog, version, today));
	run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version');
	run('git', 'add', 'CHANGELOG.md', 'package.json', 'package-lock.json');
	run('git', 'commit', '--message', `Release ${version}`);
	run('git', 'tag', version);
	console.log(`Tagged ${version}. To publish it: git push --atomic origin ${branch} ${version}`);
}

function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { 'dry-run': { type: 'boolean' } },
	});
	const [version = ''] = positionals;
	if (positionals.length !== 1 || !/^\d+\.\d+\.\d+$/.test(version)) {
		console.error('Say which version: npm run release -- 1.2.3 [--dry-run]');
		return 1;
	}
	const changelog = readFileSync(changelogFile, 'utf8');
	const isDryRun = values['dry-run'] === true;
	console.log(`Version ${version}\n\n${unreleasedEntries(changelog)}\n`);
	console.log(run('npm', 'pack', '--dry-run', '--ignore-scripts'));
	const found = obstacles(version);
	for (const obstacle of found)
		console.log(`${isDryRun ? 'A release would stop here' : 'Not released'}: ${obstacle}`);
	if (isDryRun) return 0;
	if (found.length > 0) return 1;
	release(version, changelog);
	return 0;
}

try {
	process.exitCode = main();
} catch (failure) {
	if (!(failure instanceof ChangelogError)) throw failure;
	console.error(failure.message);
	process.exitCode = 1;
}
