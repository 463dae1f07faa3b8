import { type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { until } from './polling.mts';

const shownLogLines = 60;

/** A program beside this one. It ends with this process, if not before. */
export class Program {
	/** Everything that it has printed. */
	log = '';
	readonly #name: string;
	readonly #child: ChildProcessByStdio<null, Readable, Readable>;

	/** @param atExit how it is ended if this process ends first */
	constructor(
		name: string,
		[file = '', ...args]: readonly string[],
		options: SpawnOptions,
		atExit: NodeJS.Signals = 'SIGTERM',
	) {
		this.#name = name;
		this.#child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [this.#child.stdout, this.#child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => {
				this.keep(text);
			});
		}
		const kill = () => this.#child.kill(atExit);
		process.once('exit', kill);
		this.#child.once('exit', () => process.off('exit', kill));
	}

	/** The id that the system knows the process by. */
	get pid() {
		if (this.#child.pid === undefined) throw new Error(`${this.#name} was never started`);
		return this.#child.pid;
	}

	/** Waits until it is ready. If it never is, it is ended, and what it has printed last is told. */
	async ready(isReady: () => Promise<boolean> | boolean, timeout = 30_000) {
		try {
			await until(
				`${this.#name} to be ready`,
				async () => {
					if (!this.#isRunning) throw new Error('The process ended');
					return (await isReady()) || undefined;
				},
				{ timeout, interval: 60 },
			);
		} catch (cause) {
			await this.stop('SIGKILL');
			const end = this.log.trimEnd().split('\n').slice(-shownLogLines).join('\n');
			throw new Error(`${this.#name} did not start. Its log ends with:\n${end}`, { cause });
		}
	}

	/** Resolves when it has ended, for whatever reason. */
	async ended() {
		if (this.#isRunning) await once(this.#child, 'exit');
	}

	/** Ends it, by force if it takes longer than so many ms. */
	async stop(signal: NodeJS.Signals, patienceMs = 10_000) {
		if (!this.#isRunning) return;
		const ended = this.ended();
		const tooLate = setTimeout(() => this.#child.kill('SIGKILL'), patienceMs);
		this.#child.kill(signal);
		await ended;
		clearTimeout(tooLate);
	}

	protected keep(text: string) {
		this.log += text;
	}

	get #isRunning() {
		return (
			this.#child.pid !== undefined &&
			this.#child.exitCode === null &&
			this.#child.signalCode === null
		);
	}
}
