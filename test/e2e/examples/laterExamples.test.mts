import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { completed, deliver } from '../../../harness/callbacks.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();

test.each(['answer-later.json', 'nda-slack.json', 'nda-triage.json'])(
	'%s: the form asks for a login, and nothing is asked for an address outside the company',
	async (name) => {
		await stage.publish(name);
		expect(
			(
				await stage.submit(
					{ 'Your Email': 'sales@example.com' },
					{ user: 'stranger', password: '' },
				)
			).status,
		).toBe(401);
		await stage.submit({ 'Your Email': 'someone@example.com.meridian.example' });
		await stage.settled(1);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);

describe('answer-later.json', () => {
	const asker = 'sales@example.com';
	const poll = 'Every Five Minutes';

	/** Publishes the example so that open questions are looked up whatever their age; those of a day, too, if told so. */
	async function publish(texts: Readonly<Record<string, string>> = {}): Promise<void> {
		await stage.publish('answer-later.json', { 'minutes: 10': 'minutes: 0', ...texts });
	}
	const givesUpAtOnce = { 'days: 1': 'days: 0' };

	/** Asks through the form; resolves once it is known who asked. */
	async function ask(Question = 'May we?', email = asker): Promise<void> {
		const known = await stage.n8n.executions(stage.workflow.id);
		expect(await stage.submit({ 'Your Email': email, Question })).toMatchObject({ status: 200 });
		await stage.n8n.waitForNextExecution(stage.workflow.id, known);
	}

	/** Lets the service answer a question whose callback is lost. */
	async function answerUnheard(answer: string): Promise<void> {
		stage.sandbox.settings.answer = () => ({ status: 'completed', answer, after: Infinity });
		stage.sandbox.callbackFaults.drop = () => true;
		await ask();
		await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
	}

	test('each answer is emailed once, whether its callback comes, comes five times, or is dropped', async () => {
		await publish();
		await stage.run(poll);
		expect(stage.sandbox.requests).toEqual([]);
		stage.sandbox.settings.answer = ({ text }) => ({
			status: 'completed',
			answer: `Yes to ${text}`,
			after: Infinity,
		});
		const marks = [randomUUID(), randomUUID(), randomUUID()] as const;
		for (const mark of marks) await ask(mark);
		await ask('From outside', 'someone@example.com.meridian.example');
		const [delivered, dropped, doubled] = marks.map((mark) => stage.sandbox.asked(mark));
		expect(stage.sandbox.questions).toHaveLength(3);
		stage.sandbox.callbackFaults.drop = ({ questionId }) => questionId === dropped?.id;
		for (const question of [delivered, dropped]) await stage.sandbox.complete(question?.id ?? '');
		const address = doubled?.callbackUrl ?? '';
		const payload = completed({ id: doubled?.id, answer: `Yes to ${marks[2]}` });
		const deliveries = Array.from(
			{ length: 5 },
			async () => await deliver(address, stage.sandbox.webhookSecret, payload),
		);
		expect((await Promise.all(deliveries)).map(({ status }) => status)).toEqual([
			200, 200, 200, 200, 200,
		]);
		expect((await deliver(address, 'wrong secret', completed({ id: dropped?.id }))).status).toBe(
			401,
		);
		await stage.settled(7);
		expect(stage.smtp.emails).toHaveLength(2);

		await stage.run(poll);
		await stage.run(poll);
		expect(
			stage.smtp.emails.map(({ to, text }) => [to.text, text?.split(/\n+/).slice(0, 2)]).sort(),
		).toEqual(
			marks
				.map((mark) => [
					asker,
					['Written by an AI, and not checked by a lawyer.', `Yes to ${mark}`],
				])
				.sort(),
		);
	});

	test('a user gets the reason if a question is declined, and a note if it failed and became a task', async () => {
		await publish();
		await ask('May we? [error]');
		await ask('May we? [filtered]');
		await stage.sandbox.complete(stage.sandbox.questions[0]?.id ?? '');
		// A declined question calls back at once: its row is in the table by then.
		await stage.settled(4);
		expect(
			stage.smtp.emails.map(({ to, text }) => [to.text, text?.replace(/\s+/g, ' ')]).sort(),
		).toEqual([
			[asker, expect.stringContaining('The legal team will look at it')],
			[asker, expect.stringContaining('It is out of scope.')],
		]);
		expect(stage.taskTitles()).toEqual([`Answer ${asker}: May we? [error]`]);
	});

	test.each([
		['has no answer after a day', []],
		[
			'is unknown to the service after a day',
			[
				{
					error_code: 'resource_not_found',
					svc_api_error_code: 'resource_not_found',
					message: 'Not found',
				},
			],
		],
	])(
		'a question that %s becomes a task, the user gets an email, and the workflow stops checking',
		async (_what, refusals) => {
			await publish(givesUpAtOnce);
			stage.answer('completed', 'Too late.');
			const lost = randomUUID();
			await ask(lost);
			for (const body of refusals)
				stage.sandbox.faults.add({
					kind: 'status',
					status: 404,
					body,
					times: Infinity,
					match: ({ method }) => method === 'GET',
				});
			await stage.run(poll);
			expect(stage.taskTitles()).toEqual([`Answer ${asker}: ${lost}`]);
			expect(stage.smtp.emails).toMatchObject([
				{
					to: { text: asker },
					text: expect.stringMatching(/legal team will look\s+at\s+it/) as unknown,
				},
			]);
			const { length } = stage.sandbox.requests;
			await stage.run(poll);
			expect(stage.sandbox.requests).toHaveLength(length);
		},
	);

	test('the key expires: the execution fails, and the question stays open until the key works', async () => {
		await publish(givesUpAtOnce);
		await answerUnheard('Yes.');
		const expired = stage.expireKey();
		expect((await stage.sweep(poll)).failure?.message).toContain("Answers can't be looked up");
		expect(stage.smtp.emails).toEqual([]);
		expired.remove();
		await stage.run(poll);
		expect(stage.smtp.emails).toMatchObject([{ text: expect.stringContaining('Yes.') as unknown }]);
	});

	test('the question could not be asked: after a day, it becomes a task, and the user gets an email', async () => {
		await publish(givesUpAtOnce);
		const expired = stage.expireKey();
		await ask();
		expired.remove();
		await stage.run(poll);
		expect([stage.taskTitles(), stage.smtp.emails.length]).toEqual([
			[`Answer ${asker}: May we?`],
			1,
		]);
	});

	test('HTML and pictures in an answer are text in the email', async () => {
		await publish();
		await answerUnheard(
			'<a href="https://evil.example">Decide here</a> ![](https://evil.example/pixel.png) **Yes**',
		);
		await stage.run(poll);
		const html = String(stage.smtp.emails[0]?.html);
		expect(html).toContain('&lt;a href="https://evil.example"&gt;Decide here');
		expect(html).toContain('<strong>Yes</strong>');
		expect(html).not.toContain('<img');
	});

	test('the email fails and the execution is retried: it is sent once', async () => {
		await publish();
		await answerUnheard('| A | B |\n|---|---|\n| 1 | 2 |');
		stage.smtp.isDown = true;
		const failed = await stage.sweep(poll);
		stage.smtp.isDown = false;
		await stage.retried(failed);
		await stage.run(poll);
		expect(stage.smtp.emails).toMatchObject([
			{ html: expect.stringContaining('<table>') as unknown },
		]);
	});
});
