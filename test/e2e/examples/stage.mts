import { afterAll, beforeEach, expect } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import type { Fault } from '../../sandbox/faults.mts';
import { credentialType, readExample, withTexts } from '../../../harness/examples.mts';
import { type Execution, type ExecutionSummary, finalStatuses } from '../../../harness/executions.mts';
import { formLogin } from '../../../harness/form.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { type LanguageModel, startLanguageModel } from '../languageModel.mts';
import { until } from '../../../harness/polling.mts';
import { answerOnceParked, completeAll } from '../parkedQuestions.mts';
import { keyOf } from '../service.mts';
import { SmtpServer } from '../smtpServer.mts';
import { wakingEveryTwoSeconds } from '../wakingSoon.mts';
import { Products } from './products.mts';

const redlineType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const windowsChrome =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** An n8n for the examples, with everything that they work with: one of them is published at a time. */
export class Stage {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly products: Products;
	readonly smtp: SmtpServer;
	readonly model: LanguageModel;
	readonly #credentials: StoredCredential[] = [];
	#published: StoredWorkflow | undefined;

	private constructor(n8n: N8n, sandbox: Sandbox, products: Products, smtp: SmtpServer, model: LanguageModel) {
		this.n8n = n8n;
		this.sandbox = sandbox;
		this.products = products;
		this.smtp = smtp;
		this.model = model;
	}

	/** Starts everything for the tests of a file; `more` are the contents of further credentials, by type. */
	static async ofThisFile(more: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): Promise<Stage> {
		const [products, sandbox, smtp, model] = await Promise.all([
			Products.start(),
			startSandbox({ requestsPerMinute: Infinity }),
			SmtpServer.start(),
			startLanguageModel(),
		]);
		const stage = new Stage(await startN8n({ environment: { ...products.environment, ...wakingEveryTwoSeconds } }), sandbox, products, smtp, model);
		const credentials = {
			...products.credentials,
			[credentialType]: keyOf(sandbox),
			httpBasicAuth: formLogin,
			openAiApi: { apiKey: 'none', url: model.baseUrl },
			smtp: smtp.credential,
			...more,
		};
		for (const [type, data] of Object.entries(credentials))
			stage.#credentials.push(await stage.n8n.createCredential(type, type, data));
		beforeEach(async () => {
			await stage.#reset();
		});
		afterAll(async () => {
			await stage.#close();
		});
		return stage;
	}

	/** Takes down what was published, and forgets what happened. */
	async #reset(): Promise<void> {
		if (this.#published !== undefined) await this.n8n.deactivate(this.#published);
		this.#published = undefined;
		await this.sandbox.reset();
		this.sandbox.tasks.clear();
		this.products.reset();
		this.smtp.emails.length = 0;
		this.smtp.refused.clear();
		this.smtp.isDown = false;
		this.model.reset();
	}

	/** Publishes an example, with other texts in it if told so, and runs its set-up if it has one. */
	async publish(name: string, texts: Readonly<Record<string, string>> = {}): Promise<StoredWorkflow> {
		this.#published = await this.n8n.publish(withTexts(await readExample(name, ...this.#credentials), texts));
		return this.#published;
	}

	/** Has the service answer every question with a text and files, each a Word file of that name. */
	answer(status: 'completed' | 'error' | 'filtered', answer: string, ...files: readonly string[]): void {
		const attachments = files.map((fileName) => ({ fileName, contentType: redlineType, content: Buffer.from(fileName) }));
		this.sandbox.settings.answer = () => ({ status, answer, attachments });
	}

	/**
	 * Waits for the next execution to ask, and lets the service answer. What starts it, if publishing the workflow has not, is
	 * to be given. Returns its ID; it goes on.
	 */
	async asked(workflow: StoredWorkflow, start?: () => Promise<unknown>): Promise<string> {
		const known = start === undefined ? [] : await this.n8n.executions(workflow.id);
		await start?.();
		return await answerOnceParked(this.n8n, this.sandbox, workflow, known);
	}

	/** Waits until so many questions are open and every execution is parked or over, and lets the service answer. Returns who waited. */
	async answered(workflow: StoredWorkflow, count = 1): Promise<string[]> {
		const parked = await until(
			`${count} open questions`,
			async () => {
				if (this.sandbox.questions.filter(({ status }) => status === 'in_progress').length !== count) return undefined;
				const all = await this.n8n.executions(workflow.id);
				if (!all.every(({ status }) => status === 'waiting' || finalStatuses.includes(status))) return undefined;
				return all.filter(({ status }) => status === 'waiting').map(({ id }) => id);
			},
			{ timeout: 60_000 },
		);
		await completeAll(this.sandbox);
		return parked;
	}

	/** The executions of a workflow, oldest first, once at least so many have started and all are over. */
	async settled(workflow: StoredWorkflow, count: number): Promise<Execution[]> {
		const over = await until(
			`${count} executions to be over`,
			async () => {
				const all = await this.n8n.executions(workflow.id);
				return all.length >= count && all.every(({ status }) => finalStatuses.includes(status)) ? all : undefined;
			},
			{ timeout: 60_000 },
		);
		return await Promise.all(over.toReversed().map(async ({ id }) => await this.n8n.execution(id)));
	}

	/** Has the service refuse the key from now on, until that is removed or the test is over. */
	expireKey(): Fault {
		const body = { error_code: 'unauthorized', svc_api_error_code: 'unauthorized', message: 'Invalid API key' };
		return this.sandbox.faults.add({ kind: 'status', status: 401, body, times: Infinity });
	}

	/** The outcome of an execution that is retried from the list of executions, where it stopped. */
	async retried(workflow: StoredWorkflow, execution: Pick<Execution, 'id'>): Promise<Execution> {
		const known = await this.n8n.executions(workflow.id);
		await this.n8n.retry(execution);
		return await this.n8n.waitForNextExecution(workflow.id, known);
	}

	/** The execution once it is over, without an error. */
	async finished(id: string): Promise<Execution> {
		const execution = await this.n8n.waitForExecution(id);
		expect(execution.failure).toBeUndefined();
		return execution;
	}

	/** Runs the published workflow from a trigger to the end. */
	async run(workflow: StoredWorkflow, trigger: string): Promise<Execution> {
		return await this.finished(await this.n8n.run(workflow, { trigger }));
	}

	/** Starts the published workflow as something outside does, and waits until it is parked. */
	async parked(workflow: StoredWorkflow, start: () => Promise<unknown>): Promise<Execution> {
		const known = await this.n8n.executions(workflow.id);
		await start();
		return await this.n8n.waitForNextExecution(workflow.id, known, ['waiting']);
	}

	/** Starts the published workflow as something outside does, and waits until it is through with it. */
	async started(workflow: StoredWorkflow, start: () => Promise<unknown>): Promise<Execution> {
		const known = await this.n8n.executions(workflow.id);
		await start();
		return await this.n8n.waitForNextExecution(workflow.id, known);
	}

	/**
	 * Decides in the form behind a link, once n8n has parked the execution: with the values of its fields, in order. Before, a
	 * scanner opens the link as it opens each link of a message: it gets the form, and decides nothing.
	 */
	async decide(link: string, ...values: readonly string[]): Promise<void> {
		await this.scan(link);
		const form = new FormData();
		for (const [index, value] of values.entries()) form.append(`field-${index}`, value);
		const sent = await fetch(link, { method: 'POST', body: form });
		expect(await sent.text()).toContain('Got it, thanks');
	}

	/** Opens a link as mail scanners do, in a browser on Windows, and leaves the execution waiting. */
	async scan(link: string): Promise<void> {
		const id = /\/webhook-waiting\/(\d+)/.exec(link)?.[1] ?? '';
		await this.n8n.waitForExecution(id, ['waiting']);
		const page = await fetch(link, { headers: { 'user-agent': windowsChrome } });
		expect(await page.text()).toContain('Send Decision');
		expect((await this.n8n.execution(id)).status).toBe('waiting');
	}

	/** Titles of the tasks at the service. */
	taskTitles(): string[] {
		return this.sandbox.tasks.ordered().map(({ title }) => title);
	}

	/** The executions of the published workflow that no schedule has started. */
	async unscheduled(workflow: StoredWorkflow): Promise<ExecutionSummary[]> {
		return (await this.n8n.executions(workflow.id)).filter(({ mode }) => mode !== 'trigger');
	}

	async #close(): Promise<void> {
		await this.n8n.close();
		await Promise.all([this.products.close(), this.smtp.close(), this.model.close(), this.sandbox.close()]);
	}
}

/** Answers to a vendor's contract, and whether one of its files becomes a draft: only a single redline does. */
export function reviewsToDraft(
	redline: string,
): [what: string, status: 'completed' | 'error' | 'filtered', answer: string, files: string[], isDrafted: boolean][] {
	return [
		['a redline', 'completed', 'Two changes.', [redline, 'report.docx'], true],
		['another file', 'completed', 'Our positions.', ['positions.docx'], false],
		['two redlines', 'completed', 'Two of them.', [redline, 'annex - redline.docx'], false],
		['no file', 'completed', 'Nothing to change.', [], false],
		['a decline', 'filtered', 'Not for us.', [], false],
		['an error', 'error', 'The file is damaged.', [], false],
	];
}
