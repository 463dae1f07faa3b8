// Installs what `npm start` and `npm test` need and do not find; with `--for-all-tests`, what `npm run test:all` needs; with
// `--without-n8n`, only the development dependencies, which take a minute. Runs before them, on any Node from 20 on and with nothing
// installed yet, so it is plain JavaScript that imports Node's own modules alone.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Where everything is installed once for all checkouts of this machine. It may be deleted at any time. */
const sharedFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	'n8n-nodes-legal-ai',
);
/** The version of the npm package `node`, which compiled modules are built for. */
const nodeVersion = readJson(join(root, 'package.json')).devDependencies.node;
/** The programs that tests run beside n8n, by their Debian package. */
const testPrograms = {
	chromium: '/usr/bin/chromium',
	postgresql: '/usr/bin/pg_ctlcluster',
	'redis-server': '/usr/bin/redis-server',
};
const quietly = ['--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--no-save'];
const heartbeatSeconds = 10;
const shownLogLines = 25;

/** @param {string} file */
function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}

/** A command of the installation that did not succeed, with the end of what it printed. */
class InstallationFailed extends Error {}

/**
 * What an installation depends on, as one short text: it changes exactly when the folder has to be installed again.
 *
 * @param {string} folder
 */
function fingerprint(folder) {
	const manifest = readJson(join(folder, 'package.json'));
	const lock = join(folder, 'package-lock.json');
	return createHash('sha256')
		.update(JSON.stringify([manifest.dependencies, manifest.devDependencies, manifest.overrides]))
		.update(existsSync(lock) ? readFileSync(lock) : '')
		.update([process.platform, process.arch, nodeVersion].join())
		.digest('hex');
}

/**
 * Runs a program in a folder, and says every few seconds that it is still at it.
 *
 * @param {string} what the sentence shown while it runs
 * @param {string} folder
 * @param {string[]} commandLine the program first
 * @param {Record<string, string>} [environment]
 */
async function run(what, folder, [program, ...rest], environment = {}) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	console.log(`${what} …`);
	const heartbeat = setInterval(
		() => console.log(`${what} … ${seconds()} s`),
		heartbeatSeconds * 1000,
	);
	let log = '';
	try {
		const code = await new Promise((resolve, reject) => {
			const child = spawn(program, rest, {
				cwd: folder,
				env: { ...process.env, ...environment },
				stdio: ['ignore', 'pipe', 'pipe'],
			});
			for (const stream of [child.stdout, child.stderr]) {
				stream.on('data', (text) => (log += String(text)));
			}
			child.on('error', reject);
			child.on('close', resolve);
		});
		if (code !== 0) {
			const tail = log.trimEnd().split('\n').slice(-shownLogLines).join('\n');
			const place = relative(process.cwd(), folder) || '.';
			const command = [basename(program), ...rest].join(' ');
			throw new InstallationFailed(
				`\`${command}\` in ${place} failed (exit code ${code}). The end of its log:\n\n${tail}\n`,
			);
		}
	} finally {
		clearInterval(heartbeat);
	}
	console.log(`${what}: done in ${seconds()} s`);
}

/**
 * Runs npm in a folder.
 *
 * @param {string} what the sentence shown while it runs
 * @param {string} folder
 * @param {string[]} commandLine
 * @param {Record<string, string>} [environment]
 */
async function npm(what, folder, commandLine, environment) {
	const npmScript = process.env.npm_execpath;
	const program = npmScript?.endsWith('.js') === true ? [process.execPath, npmScript] : ['npm'];
	await run(what, folder, [...program, ...commandLine], environment);
}

/** The folder with Node's own headers (`include/node`), as the npm package `node` brings it. */
function nodeHeadersFolder() {
	const name = `node-${process.platform}-${process.arch}`;
	return [join('node', 'node_modules', name), name]
		.map((path) => join(root, 'node_modules', path))
		.find((path) => existsSync(join(path, 'include', 'node', 'node.h')));
}

/**
 * Links a folder's `node_modules` to what is installed for the whole machine, and installs that first if this has not been done.
 *
 * @param {string} folder with its manifest and lock file
 * @param {(unfinished: string) => Promise<void>} install what the manifest in an unfinished folder names
 */
async function linkInstalled(folder, install) {
	const shared = join(sharedFolder, fingerprint(folder));
	if (!existsSync(shared)) await installShared(folder, shared, install);
	const [link, installed] = [folder, shared].map((parent) => join(parent, 'node_modules'));
	if (existsSync(link) && realpathSync(link) === realpathSync(installed)) return;
	rmSync(link, { recursive: true, force: true });
	symlinkSync(installed, link, 'junction');
}

/**
 * Installs beside its place and moves it there once it is whole: an interrupted installation is never used, and of two at the same
 * time the first one stays.
 *
 * @param {string} folder with its manifest and lock file
 * @param {string} shared its place
 * @param {(unfinished: string) => Promise<void>} install
 */
async function installShared(folder, shared, install) {
	const unfinished = `${shared}-${process.pid}`;
	mkdirSync(unfinished, { recursive: true });
	for (const file of ['package.json', 'package-lock.json', '.npmrc'])
		if (existsSync(join(folder, file))) cpSync(join(folder, file), join(unfinished, file));
	try {
		await install(unfinished);
		if (!existsSync(shared)) renameSync(unfinished, shared);
	} finally {
		rmSync(unfinished, { recursive: true, force: true });
	}
}

async function installDevelopmentDependencies() {
	await linkInstalled(root, async (unfinished) => {
		await npm('Installing the development dependencies', unfinished, ['install', ...quietly]);
		await npm(`Installing Node ${nodeVersion}`, unfinished, ['rebuild', 'node']);
		if (!existsSync(join(unfinished, 'node_modules', '.bin', 'node')))
			throw new InstallationFailed(`Node ${nodeVersion} was installed, but it is missing.`);
	});
}

/** @param {Promise<void>} before the installation of what n8n's native modules are built with */
async function installN8n(before) {
	const folder = join(root, 'test', 'n8n', 'current');
	await linkInstalled(folder, async (unfinished) => {
		const { version } = readJson(join(folder, 'package-lock.json')).packages['node_modules/n8n'];
		await npm(`Installing n8n ${version} (up to 2.7 GB, takes a few minutes)`, unfinished, [
			'install',
			...quietly,
		]);
		await before;
		const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(':');
		const headers = nodeHeadersFolder();
		await npm(
			`Building the native modules of n8n ${version}`,
			unfinished,
			['rebuild', 'sqlite3', 'isolated-vm'],
			{ PATH: path, ...(headers !== undefined && { npm_config_nodedir: headers }) },
		);
	});
}

async function installFileStores() {
	await linkInstalled(join(root, 'test', 'stores'), async (unfinished) => {
		await npm('Installing a file store and a mail server', unfinished, ['install', ...quietly]);
	});
}

/** Installs the programs that tests run beside n8n, where this is a Debian and this user may; says so where not. */
async function installTestPrograms() {
	const missing = Object.keys(testPrograms).filter((name) => !existsSync(testPrograms[name]));
	if (missing.length === 0) return;
	const what = `Installing ${missing.join(', ')} with apt-get`;
	const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
	try {
		if (!mayInstall)
			throw new InstallationFailed('This requires Debian or Ubuntu, and the root user.');
		await run(`${what} (apt-get update)`, root, ['apt-get', 'update']);
		const quietly = ['--yes', '--no-install-recommends'];
		// RUNLEVEL: nothing that is installed starts as a service of the machine.
		await run(what, root, ['apt-get', 'install', ...quietly, ...missing], {
			DEBIAN_FRONTEND: 'noninteractive',
			RUNLEVEL: '1',
		});
	} catch (error) {
		if (!(error instanceof InstallationFailed)) throw error;
		console.log(`${what} failed. ${error.message}`);
		console.log('The end-to-end tests that need these programs will fail and say so.');
	}
}

const isForAllTests = process.argv.includes('--for-all-tests');
try {
	const development = installDevelopmentDependencies();
	const steps = [development];
	if (!process.argv.includes('--without-n8n')) {
		steps.push(installN8n(development));
		if (isForAllTests) steps.push(installFileStores(), installTestPrograms());
	}
	await Promise.all(steps);
} catch (error) {
	if (!(error instanceof InstallationFailed)) throw error;
	console.error(`\n${error.message}`);
	process.exitCode = 1;
}
