import type { INode } from 'n8n-workflow';

import { KEY_PREFIX } from '../../sandbox/auth.mts';
import { credentialType, readExample } from '../../../harness/examples.mts';
import { type Execution, finalStatuses } from '../../../harness/executions.mts';
import { type FormAnswers, formLogin, submitForm } from '../../../harness/form.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { webhook } from '../../../harness/workflows.mts';
import { credentialsOf } from '../examples/nodeDescriptions.mts';
import { completeAll } from '../n8n/parkedQuestions.mts';
import { keyOf, n8nOfThisFile, serviceOfThisFile } from '../n8n/service.mts';
import { smtpServerOfThisFile } from '../n8n/smtpServer.mts';
import { lookingSoon } from '../n8n/wakingSoon.mts';
import { productCredentials, productsOfThisFile } from './products.mts';
import type { Written } from './written.mts';

/** What starts a workflow in the place of a schedule, as often as a test likes. */
function startedByCall(node: INode) {
	if (node.type !== 'n8n-nodes-base.scheduleTrigger') return node;
	const { id, name, position } = node;
	return { ...webhook(id), id, name, position };
}

/** By what the requests of a step are known. */
const tokenOf = (step: string) => `${KEY_PREFIX}${step.replaceAll(/\W/g, '-')}`;

/** An n8n for the examples, with everything that they work with: one of them is published at a time. */
export type Stage = Awaited<ReturnType<typeof stageOfThisFile>>;

/** Starts it for the tests of a file. */
export async function stageOfThisFile() {
	const products = await productsOfThisFile();
	const smtp = await smtpServerOfThisFile();
	const n8n = await n8nOfThisFile({ ...products.environment, ...lookingSoon });
	const { sandbox } = await serviceOfThisFile({ requestsPerMinute: Infinity }, n8n);
	let published: StoredWorkflow | undefined;
	/** What was executed before the test. */
	let before = new Set<string>();
	/** How many executions there are at least once everything that was started has begun. */
	let begun = 1;

	const publishedNow = () => {
		if (published === undefined) throw new Error('No example is published');
		return published;
	};
	const allExecutions = async () =>
		published === undefined ? [] : await n8n.executions(published.id);
	const executionsOfTest = async () => (await allExecutions()).filter(({ id }) => !before.has(id));

	/** Lets a step do everything. */
	const allow = (step: string) => {
		products.refused.delete(tokenOf(step));
		smtp.refused.delete(tokenOf(step));
		sandbox.keys.set(tokenOf(step), undefined);
	};

	/** Credentials of a node's own. */
	const credentialsFor = async (node: INode) => {
		const token = tokenOf(node.name);
		allow(node.name);
		const contents: Record<string, Record<string, unknown>> = {
			...productCredentials(token),
			[credentialType]: { ...keyOf(sandbox), apiKey: token },
			httpBasicAuth: formLogin,
			smtp: smtp.credential(token),
		};
		const stored = await Promise.all(
			credentialsOf(node).map(
				async (type) => await n8n.createCredential(type, node.name, contents[type] ?? {}),
			),
		);
		return Object.fromEntries(stored.map(({ type, id, name }) => [type, { id, name }]));
	};

	beforeEach(async () => {
		before = new Set((await allExecutions()).map(({ id }) => id));
		begun = 1;
		sandbox.tasks.clear();
		products.reset();
		smtp.emails.length = 0;
		for (const { name } of published?.nodes ?? []) allow(name);
	});

	return {
		n8n,
		sandbox,
		products,
		smtp,
		allow,
		/** The published example. */
		get workflow() {
			return publishedNow();
		},
		/** What the examples have written to somebody, emails last. */
		get written(): readonly Written[] {
			const emails = smtp.emails.map(({ to, subject, text = '', attachments }) => {
				const address = to?.text ?? '';
				const files = attachments.map(({ filename = '' }) => filename);
				return { title: `Email to ${address}: ${subject}`, to: address, text, files };
			});
			return [...products.written, ...emails];
		},
		/** Publishes an example in the place of the one before. */
		publish: async (example: string) => {
			if (published !== undefined) await n8n.deactivate(published);
			const { nodes, ...workflow } = await readExample(`${example}.json`);
			published = await n8n.publish({
				...workflow,
				pinData: {},
				nodes: await Promise.all(
					nodes.map(async (node) => ({
						...startedByCall(node),
						credentials: await credentialsFor(node),
					})),
				),
			});
		},
		/** Has a step fail for an item, and for all that it does at once. */
		refuse: (step: string, item: string) => {
			products.refused.set(tokenOf(step), item);
			smtp.refused.add(tokenOf(step));
			sandbox.keys.delete(tokenOf(step));
		},
		/** Has the triggers of the published example begin anew with what has come meanwhile. */
		listenAnew: async (meanwhile: () => void) => {
			await n8n.deactivate(publishedNow());
			meanwhile();
			await n8n.activate(publishedNow());
		},
		/** Starts the published example as its schedule of that name would, or has its trigger look by hand. */
		startBy: async (trigger: string) => {
			begun = (await executionsOfTest()).length + 1;
			const node = publishedNow().nodes.find(({ name }) => name === trigger);
			if (node?.type === 'n8n-nodes-base.webhook') await n8n.callWebhook(node.id);
			else await n8n.run(publishedNow(), { trigger });
		},
		/** Retries an execution that has stopped. */
		retry: async (stopped: Execution) => {
			begun = (await executionsOfTest()).length + 1;
			await n8n.retry(stopped);
		},
		/** The address at which the trigger of that name listens. */
		webhookOf: (trigger: string) => {
			const node = publishedNow().nodes.find(({ name }) => name === trigger);
			return `${n8n.baseUrl}/webhook/${node?.webhookId ?? ''}`;
		},
		/** Fills in the form of the published example as a colleague. Returns what n8n responds. */
		submit: async (answers: FormAnswers) => {
			const { status, body } = await submitForm(n8n.baseUrl, publishedNow(), answers);
			expect(status).toBe(200);
			return body;
		},
		/** Has a person complete all tasks, and write a decision into them if it is given. */
		completeTasks: (decision?: string) => {
			for (const task of sandbox.tasks.ordered())
				sandbox.tasks.update(task, {
					status: 'completed',
					...(decision !== undefined && { description: decision }),
				});
		},
		/**
		 * All executions of the test once they are over, the oldest first. The service answers as soon as everything waits; when all is
		 * answered and something still waits, a person decides.
		 */
		over: async (decide: () => unknown = () => undefined) => {
			const look = async () => {
				const all = await executionsOfTest();
				const isAnswered = sandbox.questions.every(({ status }) => status !== 'in_progress');
				const isOver = all.every(({ status }) => finalStatuses.includes(status));
				if (all.length >= begun && isOver && isAnswered) return all;
				if (!all.every(({ status }) => [...finalStatuses, 'waiting'].includes(status)))
					return undefined;
				if (isAnswered) await decide();
				else await completeAll(sandbox);
				return undefined;
			};
			const over = await until('all executions to be over', look, { timeout: 60_000 });
			return await Promise.all(over.toReversed().map(async ({ id }) => await n8n.execution(id)));
		},
	};
}
