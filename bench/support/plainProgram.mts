import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { asRecord } from '../../harness/unknownJson.mts';
import type { jobs } from './plainJobs.mts';

type Jobs = typeof jobs;

/** A process that does the same jobs with undici alone. It stays up, warm as n8n is. */
export class PlainProgram {
	readonly #child: ChildProcess;

	private constructor(child: ChildProcess) {
		this.#child = child;
	}

	static async start(): Promise<PlainProgram> {
		const child = fork(fileURLToPath(new URL('./plainWorker.mts', import.meta.url)), {
			execArgv: [],
		});
		await once(child, 'message');
		return new PlainProgram(child);
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	/** Does a job: the time that it took there, in ms, and what it gave. */
	async run<Name extends keyof Jobs>(
		job: Name,
		input: Parameters<Jobs[Name]>[0],
	): Promise<{ ms: number; result: unknown }> {
		this.#child.send({ job, input });
		const [message] = (await once(this.#child, 'message')) as unknown[];
		const { ms, result, failure } = asRecord(message, 'The message of the plain program');
		if (typeof failure === 'string')
			throw new Error(`The plain program did not ${job}: ${failure}`);
		return { ms: Number(ms), result };
	}

	stop(): void {
		this.#child.kill();
	}
}
