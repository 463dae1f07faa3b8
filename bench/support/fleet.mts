import { createQueueStore, type QueueStore } from '../../test/e2e/postgres.mts';
import { wakingEveryTwoSeconds } from '../../test/e2e/wakingSoon.mts';
import { type N8n, startN8n } from '../../test/support/n8n/n8n.mts';
import { freePort, type N8nProcess } from '../../test/support/n8n/n8nProcess.mts';
import { asRecord, isRecord, optionalText } from '../../test/support/unknownJson.mts';

/** One time that a worker worked on an execution; in ms since the epoch. */
export interface WorkerRun {
	readonly executionId: string;
	readonly from: number;
	readonly to: number;
}

/** n8n in queue mode: the main process, one that takes webhooks, and two workers at five executions each. */
export class Fleet {
	readonly store: QueueStore;
	readonly n8n: N8n;
	readonly #receiverPort: number;
	#receiver: N8nProcess;
	readonly #workers: N8nProcess[];
	/** What workers printed that are no more. */
	readonly #lastWords: string[] = [];
	#kills = 0;

	private constructor(store: QueueStore, n8n: N8n, receiverPort: number, receiver: N8nProcess, workers: N8nProcess[]) {
		this.store = store;
		this.n8n = n8n;
		this.#receiverPort = receiverPort;
		this.#receiver = receiver;
		this.#workers = workers;
	}

	static async open(): Promise<Fleet> {
		const store = await createQueueStore();
		const receiverPort = await freePort();
		const n8n = await startN8n({
			environment: {
				...store.environment,
				...wakingEveryTwoSeconds,
				WEBHOOK_URL: `http://localhost:${receiverPort}/`,
				N8N_CONCURRENCY_PRODUCTION_LIMIT: '5',
				N8N_LOG_FORMAT: 'json',
				// As README says of n8n 2.41: with this module, executions are lost that n8n resumes while it starts.
				N8N_DISABLED_MODULES: 'otel',
				// README again: without it, each callback takes so much of the processor that twenty a second are too many.
				N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
			},
		});
		const receiver = await n8n.startBeside('webhook', {}, receiverPort);
		const workers = [await n8n.startBeside('worker'), await n8n.startBeside('worker')];
		return new Fleet(store, n8n, receiverPort, receiver, workers);
	}

	/** Calls a webhook at the process for it, or at the main one while that is down; again until one has taken it. */
	async call(path: string, body: unknown): Promise<void> {
		const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
		for (let attempt = 0; ; attempt += 1) {
			const origin = attempt % 2 === 0 ? `http://localhost:${this.#receiverPort}` : this.n8n.baseUrl;
			const response = await fetch(`${origin}/webhook/${path}`, request).catch(() => undefined);
			await response?.arrayBuffer();
			if (response?.ok) return;
			if (attempt === 1_000) throw new Error(`Nobody takes calls of ${path}: ${response?.status ?? 'no answer'}`);
		}
	}

	/** Kills a worker, the process that takes webhooks, or the main one, in turn, and starts it again. Returns which. */
	async killNext(): Promise<string> {
		const turn = this.#kills % 3;
		this.#kills += 1;
		if (turn === 0) {
			const [worker] = this.#workers.splice(0, 1);
			await worker?.stop('SIGKILL');
			this.#lastWords.push(worker?.log ?? '');
			this.#workers.push(await this.n8n.startBeside('worker'));
			return 'worker';
		}
		if (turn === 1) {
			await this.#receiver.stop('SIGKILL');
			this.#receiver = await this.n8n.startBeside('webhook', {}, this.#receiverPort);
			return 'webhook process';
		}
		await this.n8n.kill('SIGKILL');
		await this.n8n.restart();
		return 'main process';
	}

	/** Every time that a worker was through with an execution, or had parked it, in the order in which they were. */
	get workerRuns(): WorkerRun[] {
		const logs = [...this.#lastWords, ...this.#workers.map(({ log }) => log)];
		return logs.flatMap(runsIn).sort((one, other) => one.to - other.to);
	}

	async close(): Promise<void> {
		await this.n8n.close();
		await this.store.close();
	}
}

/** What a worker logs, a JSON object a line, begins and ends each run with a line that names the job. */
function runsIn(log: string): WorkerRun[] {
	const begun = new Map<string, number>();
	const runs: WorkerRun[] = [];
	for (const line of log.split('\n').filter((each) => each.startsWith('{'))) {
		const { message, metadata } = asRecord(JSON.parse(line), 'A line of the log');
		const [, what, executionId = '', job = ''] = /^Worker (started|finished) execution (\S+) \(job (\S+)\)/.exec(optionalText(message) ?? '') ?? [];
		const at = Date.parse(optionalText(isRecord(metadata) ? metadata.timestamp : undefined) ?? '');
		const from = begun.get(job);
		if (what === 'started') begun.set(job, at);
		else if (what === 'finished' && from !== undefined) runs.push({ executionId, from, to: at });
	}
	return runs;
}
