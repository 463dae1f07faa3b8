import type { INode } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample } from '../../../harness/examples.mts';
import { type Execution, finalStatuses } from '../../../harness/executions.mts';
import { type FormAnswers, formLogin, submitForm } from '../../../harness/form.mts';
import type { N8n } from '../../../harness/n8n.mts';
import type { StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { until } from '../../../harness/polling.mts';
import { completeAll } from '../n8n/parkedQuestions.mts';
import { keyOf, n8nOfThisFile } from '../n8n/service.mts';
import { SmtpServer } from '../n8n/smtpServer.mts';
import { lookingEveryTwoSeconds } from '../n8n/wakingSoon.mts';
import { Products } from './products.mts';

/** What starts a workflow in the place of a schedule, as often as a test likes. */
function startedByCall(node: INode): INode {
	if (node.type !== 'n8n-nodes-base.scheduleTrigger') return node;
	const parameters = { httpMethod: 'POST', path: node.id, options: {} };
	const type = 'n8n-nodes-base.webhook';
	return { ...node, type, typeVersion: 2, parameters, webhookId: node.id };
}

/** An n8n for the examples, with everything that they work with: one of them is published at a time. */
export class Stage {
	n8n: N8n;
	sandbox: Sandbox;
	products: Products;
	smtp: SmtpServer;
	#credentials: StoredCredential[];
	#refusedCredentials: StoredCredential[];
	#published: StoredWorkflow | undefined;
	/** How many executions there are at least once everything that was started has begun. */
	#executions = 1;

	private constructor(
		n8n: N8n,
		sandbox: Sandbox,
		products: Products,
		smtp: SmtpServer,
		credentials: StoredCredential[],
		refusedCredentials: StoredCredential[],
	) {
		this.n8n = n8n;
		this.sandbox = sandbox;
		this.products = products;
		this.smtp = smtp;
		this.#credentials = credentials;
		this.#refusedCredentials = refusedCredentials;
	}

	/** Starts everything for the tests of a file. */
	static async ofThisFile(environment: Environment = {}, port?: number): Promise<Stage> {
		const [products, sandbox, smtp] = await Promise.all([
			Products.ofThisFile(),
			startSandbox({ requestsPerMinute: Infinity }),
			SmtpServer.ofThisFile(),
		]);
		afterAll(async () => {
			await sandbox.close();
		});
		const n8n = await n8nOfThisFile(
			{ ...products.environment, ...lookingEveryTwoSeconds, ...environment },
			port,
		);
		const store = async (name: string, contents: Record<string, Record<string, unknown>>) =>
			await Promise.all(
				Object.entries(contents).map(
					async ([type, data]) => await n8n.createCredential(type, `${type}, ${name}`, data),
				),
			);
		const key = keyOf(sandbox);
		const credentials = await store('taken', {
			...products.credentials(),
			[credentialType]: key,
			httpBasicAuth: formLogin,
			smtp: smtp.credential,
		});
		const refused = await store('refused', {
			...products.credentials(true),
			[credentialType]: { ...key, apiKey: `${key.apiKey}-refused` },
			smtp: { ...smtp.credential, port: 1 },
		});
		const stage = new Stage(n8n, sandbox, products, smtp, credentials, refused);
		beforeEach(async () => {
			await stage.#reset();
		});
		return stage;
	}

	/** Takes down what was published, and forgets what happened. */
	async #reset() {
		if (this.#published !== undefined) await this.n8n.deactivate(this.#published);
		this.#published = undefined;
		this.#executions = 1;
		await this.sandbox.reset();
		this.sandbox.tasks.clear();
		this.products.reset();
		this.smtp.emails.length = 0;
	}

	/** Publishes an example. One of its steps can be given credentials that are refused. */
	async publish(example: string, refusedStep?: string): Promise<void> {
		const { nodes, ...workflow } = await readExample(`${example}.json`, ...this.#credentials);
		const refused = Object.fromEntries(
			this.#refusedCredentials.map(({ type, id, name }) => [type, { id, name }]),
		);
		this.#published = await this.n8n.publish({
			...workflow,
			pinData: {},
			nodes: nodes
				.map(startedByCall)
				.map((node) => (node.name === refusedStep ? { ...node, credentials: refused } : node)),
		});
	}

	/** The published example. */
	get workflow(): StoredWorkflow {
		if (this.#published === undefined) throw new Error('No example is published');
		return this.#published;
	}

	/** Starts the published example as its schedule of that name would, or has its trigger look by hand. */
	async startBy(trigger: string): Promise<void> {
		this.#executions = (await this.n8n.executions(this.workflow.id)).length + 1;
		const node = this.workflow.nodes.find(({ name }) => name === trigger);
		if (node?.type === 'n8n-nodes-base.webhook') await this.n8n.callWebhook(node.id);
		else await this.n8n.run({ ...this.workflow }, { trigger });
	}

	/** The address at which the trigger of that name listens. */
	webhookOf(trigger: string): string {
		const node = this.workflow.nodes.find(({ name }) => name === trigger);
		return `${this.n8n.baseUrl}/webhook/${node?.webhookId ?? ''}`;
	}

	/** Fills in the form of the published example as a colleague. Returns what n8n responds. */
	async submit(answers: FormAnswers): Promise<string> {
		const { status, body } = await submitForm(this.n8n.baseUrl, this.workflow, answers);
		expect(status).toBe(200);
		return body;
	}

	/** Has a person complete all tasks, and write a decision into them if it is given. */
	completeTasks(decision?: string): void {
		for (const task of this.sandbox.tasks.ordered())
			this.sandbox.tasks.update(task, {
				status: 'completed',
				...(decision !== undefined && { description: decision }),
			});
	}

	/**
	 * All executions of the example once they are over, the oldest first. The service answers as soon as everything waits; when all is
	 * answered and something still waits, a person decides.
	 */
	async over(decide: () => unknown = () => undefined): Promise<Execution[]> {
		const look = async () => {
			const all = await this.n8n.executions(this.workflow.id);
			const isAnswered = this.sandbox.questions.every(({ status }) => status !== 'in_progress');
			const isOver = all.every(({ status }) => finalStatuses.includes(status));
			if (all.length >= this.#executions && isOver && isAnswered) return all;
			if (!all.every(({ status }) => [...finalStatuses, 'waiting'].includes(status)))
				return undefined;
			if (isAnswered) await decide();
			else await completeAll(this.sandbox);
			return undefined;
		};
		const over = await until('all executions to be over', look, { timeout: 60_000 });
		return await Promise.all(over.toReversed().map(async ({ id }) => await this.n8n.execution(id)));
	}
}
