import type { INode } from 'n8n-workflow';

import { KEY_PREFIX } from '../../sandbox/auth.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { credentialType, readExample } from '../../../harness/examples.mts';
import { type Execution, finalStatuses } from '../../../harness/executions.mts';
import { type FormAnswers, formLogin, submitForm } from '../../../harness/form.mts';
import type { N8n } from '../../../harness/n8n.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { webhook } from '../../../harness/workflows.mts';
import { findCredentials } from '../examples/nodeDescriptions.mts';
import { completeAll } from '../n8n/parkedQuestions.mts';
import { toCredential } from '../n8n/service.mts';
import type { SmtpServer } from '../n8n/smtpServer.mts';
import { type Products, productCredentials } from './products.mts';
import type { Written } from './written.mts';

/** What starts a workflow in the place of a schedule, as often as a test likes. */
function startedByCall(node: INode) {
	if (node.type !== 'n8n-nodes-base.scheduleTrigger') return node;
	const { id, name, position } = node;
	return { ...webhook(id), id, name, position };
}

/** By what the requests of a step are known. */
const writeToken = (step: string) => `${KEY_PREFIX}${step.replaceAll(/\W/g, '-')}`;

/** What an example works with. */
interface Surroundings {
	n8n: N8n;
	service: Sandbox;
	products: Products;
	smtp: SmtpServer;
}

/** An n8n for the examples, with everything that they work with: one of them is published at a time. */
export class Stage {
	readonly n8n: Surroundings['n8n'];
	readonly service: Surroundings['service'];
	readonly products: Surroundings['products'];
	readonly smtp: Surroundings['smtp'];
	#published: StoredWorkflow | undefined;
	/** What was executed before the test. */
	#before = new Set<string>();
	/** How many executions there are at least once everything that was started has begun. */
	#begun = 1;

	constructor({ n8n, service, products, smtp }: Surroundings) {
		this.n8n = n8n;
		this.service = service;
		this.products = products;
		this.smtp = smtp;
	}

	/** The published example. */
	get workflow() {
		if (this.#published === undefined) throw new Error('No example is published');
		return this.#published;
	}

	/** What the examples have written to somebody, emails last. */
	get written(): readonly Written[] {
		const emails = this.smtp.emails.map(({ to, subject, text = '', attachments }) => {
			const address = to?.text ?? '';
			const files = attachments.map(({ filename = '' }) => filename);
			return { title: `Email to ${address}: ${subject}`, to: address, text, files };
		});
		return [...this.products.written, ...emails];
	}

	/** Forgets what happened in the test before, and lets each step do everything. */
	async clear() {
		await this.service.reset();
		this.#before = new Set((await this.#allExecutions()).map(({ id }) => id));
		this.#begun = 1;
		this.service.tasks.clear();
		this.products.reset();
		this.smtp.emails.length = 0;
		for (const { name } of this.#published?.nodes ?? []) this.allow(name);
	}

	/** Publishes an example in the place of the one before. */
	async publish(example: string) {
		if (this.#published !== undefined) await this.n8n.deactivate(this.#published);
		const { nodes, ...workflow } = await readExample(`${example}.json`);
		this.#published = await this.n8n.publish({
			...workflow,
			pinData: {},
			nodes: await Promise.all(
				nodes.map(async (node) => ({
					...startedByCall(node),
					credentials: await this.#createCredentials(node),
				})),
			),
		});
	}

	/** Lets a step do everything. */
	allow(step: string) {
		this.products.refused.delete(writeToken(step));
		this.smtp.refused.delete(writeToken(step));
		this.service.keys.set(writeToken(step), undefined);
	}

	/** Has a step fail for an item, and for all that it does at once. */
	refuse(step: string, item: string) {
		this.products.refused.set(writeToken(step), item);
		this.smtp.refused.add(writeToken(step));
		this.service.keys.delete(writeToken(step));
	}

	/** Has the triggers of the published example begin anew with what has come meanwhile. */
	async listenAnew(meanwhile: () => void) {
		await this.n8n.deactivate(this.workflow);
		meanwhile();
		await this.n8n.activate(this.workflow);
	}

	/** Starts the published example as its schedule of that name would, or has its trigger look by hand. */
	async startBy(trigger: string) {
		this.#begun = (await this.#executionsOfTest()).length + 1;
		const node = this.workflow.nodes.find(({ name }) => name === trigger);
		if (node?.type === 'n8n-nodes-base.webhook') await this.n8n.callWebhook(node.id);
		else await this.n8n.run(this.workflow, { trigger });
	}

	/** Retries an execution that has stopped. */
	async retry(stopped: Execution) {
		this.#begun = (await this.#executionsOfTest()).length + 1;
		await this.n8n.retry(stopped);
	}

	/** The address at which the trigger of that name listens. */
	findWebhook(trigger: string) {
		const node = this.workflow.nodes.find(({ name }) => name === trigger);
		return `${this.n8n.baseUrl}/webhook/${node?.webhookId ?? ''}`;
	}

	/** Fills in the form of the published example as a colleague. Returns what n8n responds. */
	async submit(answers: FormAnswers) {
		const { status, body } = await submitForm(this.n8n.baseUrl, this.workflow, answers);
		expect(status).toBe(200);
		return body;
	}

	/** Has a person complete all tasks, and write a decision into them if it is given. */
	completeTasks(decision?: string) {
		for (const task of this.service.tasks.ordered())
			this.service.tasks.update(task, {
				status: 'completed',
				...(decision !== undefined && { description: decision }),
			});
	}

	/**
	 * All executions of the test once they are over, the oldest first. The service answers as soon as everything waits; when all is
	 * answered and something still waits, a person decides.
	 */
	async over(decide: () => unknown = () => undefined) {
		const look = async () => {
			const all = await this.#executionsOfTest();
			const isAnswered = this.service.questions.every(({ status }) => status !== 'in_progress');
			const isOver = all.every(({ status }) => finalStatuses.includes(status));
			if (all.length >= this.#begun && isOver && isAnswered) return all;
			if (!all.every(({ status }) => [...finalStatuses, 'waiting'].includes(status)))
				return undefined;
			if (isAnswered) await decide();
			else await completeAll(this.service);
			return undefined;
		};
		const over = await until('all executions to be over', look, { timeout: 60_000 });
		return await Promise.all(over.toReversed().map(async ({ id }) => await this.n8n.execution(id)));
	}

	async #allExecutions() {
		return this.#published === undefined ? [] : await this.n8n.executions(this.#published.id);
	}

	async #executionsOfTest() {
		return (await this.#allExecutions()).filter(({ id }) => !this.#before.has(id));
	}

	/** Credentials of a node's own. */
	async #createCredentials(node: INode) {
		const token = writeToken(node.name);
		this.allow(node.name);
		const contents: Record<string, Record<string, unknown>> = {
			...productCredentials(token),
			[credentialType]: { ...toCredential(this.service), apiKey: token },
			httpBasicAuth: formLogin,
			smtp: this.smtp.credential(token),
		};
		const stored = await Promise.all(
			findCredentials(node).map(
				async (type) => await this.n8n.createCredential(type, node.name, contents[type] ?? {}),
			),
		);
		return Object.fromEntries(stored.map(({ type, id, name }) => [type, { id, name }]));
	}
}
