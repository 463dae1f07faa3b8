import type { INode } from 'n8n-workflow';

import { readExample } from '../../../harness/examples.mts';
import type { Execution } from '../../../harness/executions.mts';
import type { Stage } from '../products/stage.mts';
import { needsCredential } from './nodeProblems.mts';
import { takeResultPicture } from './resultPicture.mts';

/** An example, and what is expected of it. */
export interface Row {
	example: string;
	/** Items by their names, all in one execution. Default: three, of which the second one fails. */
	items?: readonly string[];
	/** Has items come to where the example takes them from; each shows its name wherever it goes. */
	receive: (names: readonly string[]) => unknown;
	/** Starts the example, if nothing has yet. */
	start?: () => unknown;
	/** What a person does once there is nothing else to wait for. */
	decide?: () => unknown;
	/** What an answer says; with a file if it has a name. */
	answer?: string;
	file?: string;
	/** What has become of an item. */
	outcome: (name: string) => unknown;
	/** The page that somebody sees, if that is what comes out. */
	page?: () => string;
	/** What becomes of an item whose question is answered, and of one that has no answer. */
	answered: unknown;
	unanswered?: unknown;
	/** By a name of a test: another answer, and what becomes of each item. */
	otherAnswers?: Record<string, [answer: string, expected: unknown]>;
	/** What becomes of an item at each outside step of the main way that fails: its outcome, or `stops`. */
	broken: Record<string, unknown>;
	/** Starts a second line of the example, and what it has to show. */
	second?: {
		start: () => unknown;
		steps: readonly string[];
		outcome: () => unknown;
		expected: unknown;
	};
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** What an answer says unless a row has fields. */
export const answerText =
	'Sign it with two changes:\n\n3. Liability: ask for a cap.\n7. Term: ask for two years.';
const three = ['Meridian', 'Nordlys', 'Ostrava'];
const aside = ['When It Fails', 'Tell Owner', 'Every Morning', 'Can It Be Read?'];
const isTrigger = ({ type }: INode) => /trigger$/i.test(type);

/** The steps of an example that call a product or the service, but for its triggers. */
async function outsideSteps(example: string): Promise<string[]> {
	const { nodes } = await readExample(`${example}.json`);
	return nodes
		.filter((node) => !isTrigger(node) && needsCredential(node) && !aside.includes(node.name))
		.map(({ name }) => name);
}

const failuresOf = (executions: readonly Execution[]) =>
	executions.flatMap(({ failure }) => failure?.message ?? []);

/** The line that looks each morning whether a trigger's product can be read: it can. */
async function lookEveryMorning(stage: Stage) {
	if (!stage.workflow.nodes.some(({ name }) => name === 'Every Morning')) return;
	await stage.startBy('Every Morning');
	expect((await stage.over()).at(-1)?.runs).toHaveProperty('Can It Be Read?');
}

/** Tries an example: as it should go, without answers, and with each of its outside steps refused in turn. */
export async function tryExample(stage: Stage, row: Row): Promise<void> {
	const { example, items = three, receive, start, decide, outcome, broken, second } = row;
	const { sandbox, products, smtp } = stage;
	const failing = items[1] ?? items[0] ?? '';
	const steps = await outsideSteps(example);
	const run = async (refusedStep?: string) => {
		products.items = { all: items, refused: failing };
		await receive(items);
		await stage.publish(example, refusedStep);
		await start?.();
		return await stage.over(decide);
	};
	const answer = (
		statusOf: (index: number) => 'completed' | 'error' | 'filtered',
		words = row.answer ?? answerText,
	) => {
		sandbox.settings.answer = ({ text, attachments }) => {
			const asked = JSON.stringify([text, attachments]);
			const index = items.findIndex((name) => asked.includes(name));
			const content = Buffer.from(row.file ?? '');
			const file = { fileName: row.file ?? '', contentType: word, content };
			return {
				status: statusOf(index),
				answer: words,
				attachments: row.file === undefined ? [] : [file],
				after: Infinity,
			};
		};
	};
	/** An execution has stopped: the error line tells the owner, if its trigger has started it and not a person. */
	const stops = async (executions: readonly Execution[]) => {
		const stopped = executions.filter(({ status }) => status === 'error');
		expect(stopped).not.toEqual([]);
		if (stopped.every(({ mode }) => mode === 'manual')) return;
		const subjects = () => smtp.emails.map(({ subject }) => subject);
		await expect.poll(subjects, { timeout: 20_000 }).toContain(`Stopped: ${stage.workflow.name}`);
	};

	describe(example, () => {
		test('does what it is for', async () => {
			answer(() => 'completed');
			const executions = await run();
			expect(failuresOf(executions)).toEqual([]);
			expect(items.map(outcome)).toEqual(items.map(() => row.answered));
			await takeResultPicture(stage, example, items[0] ?? '', row.page?.());
			await lookEveryMorning(stage);
			const reached = steps.filter((name) => executions.some(({ runs }) => name in runs));
			expect(Object.keys(broken).sort()).toEqual([...reached, ...(second?.steps ?? [])].sort());
		});

		if (row.unanswered !== undefined)
			test('without an answer, somebody has it', async () => {
				answer((index) =>
					index === 0 && items.length > 1 ? 'completed' : index === 1 ? 'filtered' : 'error',
				);
				const executions = await run();
				expect(failuresOf(executions)).toEqual([]);
				expect(items.map(outcome)).toEqual(
					items.map((_name, index) =>
						index === 0 && items.length > 1 ? row.answered : row.unanswered,
					),
				);
			});

		test.each(Object.entries(row.otherAnswers ?? {}))('%s', async (_name, [words, expected]) => {
			answer(() => 'completed', words);
			expect(failuresOf(await run())).toEqual([]);
			expect(items.map(outcome)).toEqual(items.map(() => expected));
		});

		test.each(Object.entries(broken))('%s fails', async (step, expected) => {
			answer(() => 'completed');
			let executions = await run(step);
			if (second?.steps.includes(step) === true) {
				products.items = { all: [], refused: '' };
				await second.start();
				executions = (await stage.over(decide)).slice(1);
			}
			const isProduct = products.refusals > 0;
			if (expected === 'stops') {
				await stops(executions);
				return;
			}
			expect(failuresOf(executions)).toEqual([]);
			expect(items.map(outcome)).toEqual(
				items.map((name) => (name === failing || !isProduct ? expected : row.answered)),
			);
		});

		if (second !== undefined)
			test('its second line does what it is for', async () => {
				answer(() => 'completed');
				await run();
				await second.start();
				expect(failuresOf(await stage.over(decide))).toEqual([]);
				expect(second.outcome()).toEqual(second.expected);
			});
	});
}
