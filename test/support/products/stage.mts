import type { INode } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import type { Fault } from '../../sandbox/faults.mts';
import { credentialType, readExample, withTexts } from '../../../harness/examples.mts';
import {
	type Execution,
	type ExecutionStatus,
	type ExecutionSummary,
	finalStatuses,
} from '../../../harness/executions.mts';
import { type FormAnswers, formLogin, submitForm } from '../../../harness/form.mts';
import type { N8n } from '../../../harness/n8n.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import type { StoredCredential, StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import { answerOnceParked, completeAll } from '../n8n/parkedQuestions.mts';
import { keyOf, n8nOfThisFile } from '../n8n/service.mts';
import { SmtpServer } from '../n8n/smtpServer.mts';
import { lookingEveryTwoSeconds } from '../n8n/wakingSoon.mts';
import { Products } from './products.mts';

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const windowsChrome =
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Makes the three working days that the examples give a lawyer to decide in Slack or Teams as short as a test waits. */
export const decideSoon = {
	'$now.plus({ days: [3, 3, 5, 5, 5, 4, 3][$now.weekday - 1] }).toISO()':
		'$now.plus({ seconds: 1 }).toISO()',
};

/** A schedule that n8n itself hardly ever starts, so that none starts in the middle of a test. */
function onLeapDays(node: INode): INode {
	const rule = { interval: [{ field: 'cronExpression', expression: '0 0 29 2 *' }] };
	return node.type === 'n8n-nodes-base.scheduleTrigger' ? { ...node, parameters: { rule } } : node;
}

/** Tries again what failed after a millisecond instead of seconds. (n8n takes 0 for a second.) */
function tryingAgainAtOnce(node: INode) {
	return node.retryOnFail === true ? { ...node, waitBetweenTries: 1 } : node;
}

/** How the stage of a file differs. */
interface StageOptions {
	environment?: Environment;
	port?: number;
	/** The contents of further credentials, by type. */
	credentials?: Record<string, Record<string, unknown>>;
}

/** An n8n for the examples, with everything that they work with: one of them is published at a time. */
export class Stage {
	n8n: N8n;
	sandbox: Sandbox;
	products: Products;
	smtp: SmtpServer;
	#credentials: StoredCredential[] = [];
	#published: StoredWorkflow | undefined;

	private constructor(n8n: N8n, sandbox: Sandbox, products: Products, smtp: SmtpServer) {
		this.n8n = n8n;
		this.sandbox = sandbox;
		this.products = products;
		this.smtp = smtp;
	}

	/** Starts everything for the tests of a file. */
	static async ofThisFile({ credentials, environment, port }: StageOptions = {}): Promise<Stage> {
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
		const stage = new Stage(n8n, sandbox, products, smtp);
		const contents = {
			...products.credentials,
			[credentialType]: keyOf(sandbox),
			httpBasicAuth: formLogin,
			smtp: smtp.credential,
			...credentials,
		};
		stage.#credentials = await Promise.all(
			Object.entries(contents).map(
				async ([type, data]) => await n8n.createCredential(type, type, data),
			),
		);
		beforeEach(async () => {
			await stage.#reset();
		});
		return stage;
	}

	/** Takes down what was published, and forgets what happened. */
	async #reset() {
		if (this.#published !== undefined) await this.n8n.deactivate(this.#published);
		this.#published = undefined;
		await this.sandbox.reset();
		this.sandbox.tasks.clear();
		this.products.reset();
		this.smtp.emails.length = 0;
		this.smtp.refused.clear();
		this.smtp.isDown = false;
	}

	/** Publishes an example, with other texts in it if told so. Its schedules start nothing unless a test has them do so, and what fails is tried again at once. */
	async publish(name: string, texts: Record<string, string> = {}): Promise<void> {
		const example = withTexts(await readExample(name, ...this.#credentials), texts);
		const nodes = example.nodes.map(onLeapDays).map(tryingAgainAtOnce);
		this.#published = await this.n8n.publish({ ...example, nodes });
	}

	/** The published example. */
	get workflow(): StoredWorkflow {
		if (this.#published === undefined) throw new Error('No example is published');
		return this.#published;
	}

	/** The address below which the trigger of a type listens, e.g. `slackTrigger`. */
	webhookOf(triggerType: string): string {
		const trigger = this.workflow.nodes.find(({ type }) => type.endsWith(`.${triggerType}`));
		return `${this.n8n.baseUrl}/webhook/${trigger?.webhookId ?? ''}`;
	}

	/** Fills in the form of the published example, logged in as a colleague unless told otherwise. */
	async submit(answers: FormAnswers, login = formLogin): Promise<{ status: number; body: string }> {
		return await submitForm(this.n8n.baseUrl, this.workflow, answers, login);
	}

	/** Has the service answer every question with a text and files, each a Word file of that name. */
	answer(status: 'completed' | 'error' | 'filtered', answer: string, ...files: string[]): void {
		const attachments = files.map((fileName) => ({
			fileName,
			contentType: wordType,
			content: Buffer.from(fileName),
		}));
		this.sandbox.settings.answer = () => ({ status, answer, attachments });
	}

	/** Has the service refuse the key from now on, or so many times, until that is removed or the test is over. */
	expireKey(times = Infinity): Fault {
		const body = {
			error_code: 'unauthorized',
			svc_api_error_code: 'unauthorized',
			message: 'Invalid API key',
		};
		return this.sandbox.faults.add({ status: 401, body, times });
	}

	/**
	 * Waits until the next execution is parked or over, and lets the service answer what it asked. What starts it, if publishing
	 * the example has not, is to be given. Returns its ID; it goes on.
	 */
	async asked(start?: () => Promise<unknown>): Promise<string> {
		const known = start === undefined ? [] : await this.n8n.executions(this.workflow.id);
		await start?.();
		return await answerOnceParked(this.n8n, this.sandbox, this.workflow, known);
	}

	/** What becomes of the next execution, whose questions are answered. */
	async outcome(start?: () => Promise<unknown>): Promise<Execution> {
		return await this.n8n.waitForExecution(await this.asked(start));
	}

	/** The next execution, whose questions are answered, once it is over without an error. */
	async done(start?: () => Promise<unknown>): Promise<Execution> {
		return await this.finished(await this.asked(start));
	}

	/** An execution once it is over without an error. */
	async finished(id: string): Promise<Execution> {
		const execution = await this.n8n.waitForExecution(id);
		expect(execution.failure).toBeUndefined();
		return execution;
	}

	/** What becomes of an execution that a schedule starts. */
	async sweep(schedule: string): Promise<Execution> {
		return await this.n8n.waitForExecution(
			await this.n8n.run(this.workflow, { trigger: schedule }),
		);
	}

	/** Has a schedule start an execution, and waits until it is over without an error. */
	async run(schedule: string): Promise<Execution> {
		return await this.finished(await this.n8n.run(this.workflow, { trigger: schedule }));
	}

	/** Waits until the execution is parked that an address for it names. Returns its ID. */
	async parked(address = ''): Promise<string> {
		const id = /\/webhook-waiting\/(\d+)/.exec(address)?.[1] ?? '';
		await this.n8n.waitForExecution(id, ['waiting']);
		return id;
	}

	/** Waits until so many questions are open and every execution is parked or over, and lets the service answer. */
	async answered(count = 1): Promise<void> {
		const isOpen = () =>
			this.sandbox.questions.filter(({ status }) => status === 'in_progress').length === count;
		await this.#allAre(['waiting', ...finalStatuses], `${count} open questions`, isOpen);
		await completeAll(this.sandbox);
	}

	/** All executions, oldest first, once there are at least so many and all are over. */
	async settled(count: number): Promise<Execution[]> {
		const over = await this.#allAre(
			finalStatuses,
			`${count} executions`,
			({ length }) => length >= count,
		);
		return await Promise.all(over.toReversed().map(async ({ id }) => await this.n8n.execution(id)));
	}

	async #allAre(
		statuses: readonly ExecutionStatus[],
		what: string,
		isEnough: (all: readonly ExecutionSummary[]) => boolean,
	) {
		const look = async () => {
			const all = await this.n8n.executions(this.workflow.id);
			return isEnough(all) && all.every(({ status }) => statuses.includes(status))
				? all
				: undefined;
		};
		return await until(`${what}, all ${statuses.join(' or ')}`, look, { timeout: 60_000 });
	}

	/** The link to the form in the last message in Teams or Slack that asks a lawyer about something. */
	async linkForLawyer(about = ''): Promise<string> {
		const { microsoft, slack } = this.products;
		const link = await until(
			'a question to the lawyer',
			() => {
				const question = [...microsoft.chat, ...slack.posted()].findLast(
					(text) => text.includes('Decide') && text.includes(about),
				);
				return Promise.resolve(/"(http[^"]*\/webhook-waiting\/[^"]*)"/.exec(question ?? '')?.[1]);
			},
			{ timeout: 60_000 },
		);
		return link.replaceAll('&amp;', '&');
	}

	/**
	 * Decides in the form behind a link, once n8n has parked the execution: with the values of its fields, in order. Before, a
	 * mail scanner opens the link in a browser on Windows: it gets the form, and decides nothing.
	 */
	async decide(link: string, ...values: string[]): Promise<void> {
		const id = await this.parked(link);
		const page = await fetch(link, { headers: { 'user-agent': windowsChrome } });
		expect(await page.text()).toContain('Send Decision');
		expect((await this.n8n.execution(id)).status).toBe('waiting');

		const form = new FormData();
		for (const [index, value] of values.entries()) form.append(`field-${index}`, value);
		const sent = await fetch(link, { method: 'POST', body: form });
		expect(await sent.text()).toContain('Got it, thanks');
	}

	/** Titles of the tasks at the service, sorted. */
	taskTitles(): string[] {
		return this.sandbox.tasks
			.ordered()
			.map(({ title }) => title)
			.sort();
	}
}
