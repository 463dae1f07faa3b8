// `npm run new-n8n -- 2.42.0`: moves everything that names the tested n8n to another version, installs it, and tries on it what the
// nodes rely on. Where the registry lacks a package in the version that n8n names, the newest one before it is pinned.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../harness/installedPackage.mts';
import { asRecord, asText, isRecord, type JsonRecord } from '../harness/unknownJson.mts';
import { manifestFolder as folder } from '../harness/n8nCache.mjs';

const [version = ''] = process.argv.slice(2);
const lockOnly = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
/** What names the version besides manifests. Figures keep the version that they were measured with. */
const places = [
	['README.md', /(?<=Every test runs on n8n )[\d.]+\d/],
	['docs/self-hosting.md', /(?<=n8nio\/n8n:)[\d.]+/],
] as const;
/** A pin of an earlier run. Others are there because of what n8n's packages depend on, and stay. */
const ofN8n = /^(@n8n\/|@n8n_io\/|n8n-)/;

class Stopped extends Error {}

/** Changes a manifest, keeps its indentation, and says whether anything is different. */
function edit(file: string, change: (manifest: JsonRecord) => void) {
	const text = readFileSync(file, 'utf8');
	const manifest = asRecord(JSON.parse(text), file);
	change(manifest);
	const changed = `${JSON.stringify(manifest, undefined, /^\s+/m.exec(text)?.[0])}\n`;
	writeFileSync(file, changed);
	return changed !== text;
}

/** Runs a program where what it prints is shown, and says whether it succeeded. */
function run(...[program = '', ...rest]: readonly string[]) {
	return spawnSync(program, rest, { cwd: projectFolder, stdio: 'inherit' }).status === 0;
}

/** The newest version of a package in the registry that is older than this one. */
function versionBefore(name: string, missing: string) {
	const { stdout } = spawnSync('npm', ['view', `${name}@<${missing}`, 'version', '--json'], {
		encoding: 'utf8',
	});
	const versions = [JSON.parse(stdout || '[]') as string | string[]]
		.flat()
		.filter((each) => /^[\d.]+$/.test(each));
	const newest = versions
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
		.at(-1);
	if (newest === undefined) throw new Stopped(`The registry has no ${name} older than ${missing}.`);
	return newest;
}

/** Writes the lock file of n8n, and returns what had to be pinned for it. */
function lockN8n() {
	const pinned: string[] = [];
	for (;;) {
		const { status, stderr } = spawnSync('npm', lockOnly, { cwd: folder, encoding: 'utf8' });
		if (status === 0) return pinned;
		const [, name, missing] =
			/No matching version found for (@?[^\s@]+)@[^\s\d]{0,3}(\d+\.\d+\.\d+)/.exec(stderr) ?? [];
		if (name === undefined || missing === undefined || name === 'n8n') throw new Stopped(stderr);
		const before = versionBefore(name, missing);
		edit(join(folder, 'package.json'), ({ overrides }) => {
			const pins = asRecord(overrides, 'The pins');
			const pin = pins[name];
			// A record pins dependencies of the package: npm then reads the version of the package itself as ".".
			pins[name] = isRecord(pin) ? { ...pin, '.': before } : before;
		});
		pinned.push(`${name} ${before} instead of ${missing}`);
		console.log(`Pinned ${pinned.at(-1)}, which the registry does not have`);
	}
}

/** Makes the engine tests run in the same engine as this n8n. */
function lockEngine() {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Readonly<Record<string, JsonRecord>>;
	};
	const isChanged = edit(join(projectFolder, 'package.json'), ({ devDependencies }) => {
		for (const name of ['n8n-core', 'n8n-workflow']) {
			const locked =
				packages[`node_modules/n8n/node_modules/${name}`] ?? packages[`node_modules/${name}`];
			asRecord(devDependencies, 'The development dependencies')[name] = asText(
				locked?.version,
				name,
			);
		}
	});
	if (isChanged && !run('npm', ...lockOnly))
		throw new Stopped('The development dependencies cannot be installed with its n8n-core.');
}

function main() {
	if (!/^2\.\d+\.\d+$/.test(version))
		throw new Stopped('Say which version: npm run new-n8n -- 2.42.0');
	edit(join(folder, 'package.json'), (manifest) => {
		const pins = Object.entries(asRecord(manifest.overrides, 'The pins'));
		Object.assign(manifest, {
			dependencies: { n8n: version },
			overrides: Object.fromEntries(pins.filter(([name]) => !ofN8n.test(name))),
		});
	});
	const pinned = lockN8n();
	lockEngine();
	for (const [file, named] of places) {
		const path = join(projectFolder, file);
		writeFileSync(path, readFileSync(path, 'utf8').replace(named, version));
	}
	const isInstalled = run(process.execPath, 'scripts/install.mjs') && run('npm', 'run', 'build');
	if (!isInstalled) throw new Stopped(`n8n ${version} could not be installed: see above.`);
	const holds = run(
		'npx',
		'vitest',
		'run',
		'test/e2e/assumptions.test.mts',
		'test/e2e/all/recovery.test.mts',
		'test/unit/documentation.test.mts',
	);
	console.log([`\nn8n ${version} is installed. Pinned: ${pinned.length}`, ...pinned].join('\n  '));
	if (!holds)
		throw new Stopped(
			'It does not do everything that the nodes rely on: each failed test above names the code.',
		);
	console.log('It does everything that the nodes rely on. Now run npm run test:all, and commit.');
}

try {
	main();
} catch (failure) {
	if (!(failure instanceof Stopped)) throw failure;
	console.error(failure.message);
	process.exitCode = 1;
}
