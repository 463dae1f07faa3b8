// Runs what takes minutes, and says that it is still at it. Used before anything is installed: plain JavaScript that imports Node's own
// modules alone.
import { spawn } from 'node:child_process';
import { basename, relative } from 'node:path';

const heartbeatSeconds = 10;
const shownLogLines = 25;

/** An installation that did not succeed; its message says why. */
export class InstallationFailed extends Error {}

/**
 * Runs a program in a folder, and says every few seconds that it is still at it.
 *
 * @param {string} what the sentence shown while it runs
 * @param {string} folder
 * @param {string[]} commandLine the program first
 * @param {Record<string, string>} [environment]
 */
export async function run(what, folder, commandLine, environment = {}) {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	console.log(`${what} …`);
	const heartbeat = setInterval(
		() => console.log(`${what} … ${seconds()} s`),
		heartbeatSeconds * 1000,
	);
	try {
		const { code, log } = await runToEnd(folder, commandLine, environment);
		if (code !== 0) throw new InstallationFailed(describeFailure(folder, commandLine, code, log));
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
export async function runNpm(what, folder, commandLine, environment) {
	const npmScript = process.env.npm_execpath;
	const program = npmScript?.endsWith('.js') === true ? [process.execPath, npmScript] : ['npm'];
	await run(what, folder, [...program, ...commandLine], environment);
}

/**
 * @param {string} folder
 * @param {string[]} commandLine
 * @param {Record<string, string>} environment
 * @returns {Promise<{ code: number | null; log: string }>}
 */
async function runToEnd(folder, [program, ...rest], environment) {
	return await new Promise((resolve, reject) => {
		const child = spawn(program, rest, {
			cwd: folder,
			env: { ...process.env, ...environment },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let log = '';
		for (const stream of [child.stdout, child.stderr])
			stream.on('data', (text) => (log += String(text)));
		child.on('error', reject);
		child.on('close', (code) => resolve({ code, log }));
	});
}

/**
 * @param {string} folder
 * @param {string[]} commandLine
 * @param {number | null} code
 * @param {string} log
 */
function describeFailure(folder, [program, ...rest], code, log) {
	const command = [basename(program), ...rest].join(' ');
	const place = relative(process.cwd(), folder) || '.';
	const tail = log.trimEnd().split('\n').slice(-shownLogLines).join('\n');
	return `\`${command}\` in ${place} failed (exit code ${code}). The end of its log:\n\n${tail}\n`;
}
