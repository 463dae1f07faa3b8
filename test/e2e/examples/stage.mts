import { afterAll, beforeEach, expect } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample, withTexts } from '../../../harness/examples.mts';
import type { Execution, ExecutionSummary } from '../../../harness/executions.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { type LanguageModel, startLanguageModel } from '../languageModel.mts';
import { answerOnceParked } from '../parkedQuestions.mts';
import { keyOf } from '../service.mts';
import { linkIn, SmtpServer } from '../smtpServer.mts';
import { Products } from './products.mts';

const redlineType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

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
		const stage = new Stage(await startN8n({ environment: products.environment }), sandbox, products, smtp, model);
		const credentials = {
			...products.credentials,
			[credentialType]: keyOf(sandbox),
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
		this.smtp.emails.length = 0;
		this.model.reset();
	}

	/** Publishes an example, with other texts in it if told so, and runs its set-up if it has one. */
	async publish(name: string, texts: Readonly<Record<string, string>> = {}): Promise<StoredWorkflow> {
		this.#published = await this.n8n.publish(withTexts(await readExample(name, ...this.#credentials), texts));
		if (this.#published.nodes.some((node) => node.name === 'Set Up Once')) await this.run(this.#published, 'Set Up Once');
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

	/** Clicks a button in the email that the lawyer gets. */
	async click(button: 'Approve' | 'Decline'): Promise<string> {
		const question = await this.smtp.waitForEmail(({ to }) => to.text === 'lawyer@example.com');
		await this.open(linkIn(question, button));
		return question.text ?? '';
	}

	/** Opens a link to an execution as a browser does, once n8n has parked it: it sends the link before that. */
	async open(link: string): Promise<void> {
		await this.n8n.waitForExecution(/\/webhook-waiting\/(\d+)/.exec(link)?.[1] ?? '', ['waiting']);
		const page = await fetch(link, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });
		expect(await page.text()).toContain('Got it, thanks');
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
