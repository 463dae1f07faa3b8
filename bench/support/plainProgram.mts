import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { asRecord } from '../../harness/unknownJson.mts';
import type { Jobs } from './plainWorker.mts';

/** A process that does the same jobs with undici alone. It stays up, warm as n8n is. */
export class PlainProgram {
	readonly #child = fork(fileURLToPath(new URL('./plainWorker.mts', import.meta.url)), {
		execArgv: [],
	});

	static async start() {
		const program = new PlainProgram();
		await once(program.#child, 'message');
		return program;
	}

	/** Does a job; gives the time that it took there, in ms. */
	async run<Name extends keyof Jobs>(job: Name, input: Parameters<Jobs[Name]>[0]) {
		this.#child.send({ job, input });
		const [message] = (await once(this.#child, 'message')) as unknown[];
		const { ms, failure } = asRecord(message, 'The message of the plain program');
		if (typeof failure === 'string')
			throw new Error(`The plain program did not ${job}: ${failure}`);
		return Number(ms);
	}

	stop() {
		this.#child.kill();
	}
}
