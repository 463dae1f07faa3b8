import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { Sandbox } from '../sandbox/sandbox.mts';
import type { Execution } from '../../harness/executions.mts';
import { watchMemory, type MemoryUse } from '../../harness/memory.mts';
import { type N8n, startN8n } from '../../harness/n8n.mts';
import type { StoredCredential } from '../../harness/n8nClient.mts';
import { chain, legalAi, node } from '../../harness/workflows.mts';
import { openService } from './service.mts';

const MEGABYTE = 1024 * 1024;

/** Several files as large as the service takes, and an n8n that keeps binary data on disk to send them through. */
export class LargeFiles {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	/** SHA-256 of each file that is sent, in their order. */
	readonly hashes: readonly string[];
	/** SHA-256 of the files that are fetched. */
	readonly generatedHash: string;
	/** Of all files sent, and of all fetched. */
	readonly totalBytes: number;
	readonly #generated: Buffer;
	readonly #folder: string;
	readonly #credential: StoredCredential;

	private constructor(
		n8n: N8n,
		sandbox: Sandbox,
		credential: StoredCredential,
		folder: string,
		hashes: readonly string[],
		totalBytes: number,
	) {
		this.n8n = n8n;
		this.sandbox = sandbox;
		this.hashes = hashes;
		this.totalBytes = totalBytes;
		this.#folder = folder;
		this.#credential = credential;
		this.#generated = Buffer.alloc(totalBytes / hashes.length, 'generated ');
		this.generatedHash = sha256(this.#generated);
	}

	static async prepare(count: number, megabytes = 50): Promise<LargeFiles> {
		const folder = await mkdtemp(join(tmpdir(), 'large-files-'));
		await mkdir(join(folder, 'first'));
		await writeFile(join(folder, 'first', '0.pdf'), 'warms up');
		await mkdir(join(folder, 'large'));
		const hashes: string[] = [];
		for (let index = 0; index < count; index++) {
			const bytes = Buffer.alloc(megabytes * MEGABYTE, `file ${index} `);
			hashes.push(sha256(bytes));
			await writeFile(join(folder, 'large', `${index}.pdf`), bytes);
		}
		const n8n = await startN8n({
			environment: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', N8N_RESTRICT_FILE_ACCESS_TO: folder },
		});
		const { sandbox, credential } = await openService(n8n);
		return new LargeFiles(n8n, sandbox, credential, folder, hashes, count * megabytes * MEGABYTE);
	}

	/** One execution that sends every file; what n8n needed beforehand is not counted. */
	async upload(): Promise<{ execution: Execution; memory: MemoryUse }> {
		const send = legalAi('Send', this.#credential, { resource: 'file', operation: 'upload' });
		await this.#run([this.#read('first'), send]);
		return await this.#measure([this.#read('large'), send]);
	}

	/** One execution that fetches as many files as were sent, of the same size, from their addresses. */
	async download(): Promise<{ execution: Execution; memory: MemoryUse }> {
		const urls = this.hashes.map(() => this.#addressOf(this.#generated));
		const fetchAll = (addresses: string[]): INode[] => [
			node('Addresses', 'n8n-nodes-base.set', {
				mode: 'raw',
				jsonOutput: JSON.stringify({ urls: addresses }),
			}, { typeVersion: 3.4 }),
			node('Each', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'urls' }),
			legalAi('Fetch', this.#credential, { resource: 'file', operation: 'download', url: '={{ $json.urls }}' }),
		];
		await this.#run(fetchAll([this.#addressOf(Buffer.from('warms up'))]));
		return await this.#measure(fetchAll(urls));
	}

	async close(): Promise<void> {
		await this.n8n.close();
		await this.sandbox.close();
		await rm(this.#folder, { recursive: true, force: true });
	}

	#addressOf(content: Buffer): string {
		const id = this.sandbox.files.keepGenerated({ fileName: 'large.pdf', contentType: 'application/pdf', content });
		return String(this.sandbox.files.attachment(id).url);
	}

	#read(folder: string): INode {
		const fileSelector = join(this.#folder, folder, '*.pdf');
		return node('Read', 'n8n-nodes-base.readWriteFile', { operation: 'read', fileSelector });
	}

	async #measure(nodes: INode[]): Promise<{ execution: Execution; memory: MemoryUse }> {
		const { result, memory } = await watchMemory(this.n8n.pid, async () => await this.#run(nodes));
		return { execution: result, memory };
	}

	async #run(nodes: INode[]): Promise<Execution> {
		const start = node('Start', 'n8n-nodes-base.manualTrigger', {});
		const workflow = await this.n8n.createWorkflow(chain('Large files', [start, ...nodes]));
		const id = await this.n8n.run(workflow);
		return await this.n8n.waitForExecution(id, undefined, { timeout: 120_000, interval: 200 });
	}
}

function sha256(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
