import type { INode } from 'n8n-workflow';

import { readExample } from '../../../harness/examples.mts';
import type { Execution } from '../../../harness/executions.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { Refusal } from '../../sandbox/errors.mts';
import { test } from '../products/fixtures.mts';
import type { Stage } from '../products/stage.mts';
import { findCredentials } from './nodeDescriptions.mts';
import { describeOutcome } from './outcomes.mts';
import { takeResultPicture } from './resultPicture.mts';

/** An example, and what is expected of it. */
export interface Row {
	example: string;
	/** Items by their names, all in one execution. Default: three. */
	items?: readonly string[];
	/** Has items come to where the example takes them from; each shows its name wherever it goes. */
	receive?: (stage: Stage, names: readonly string[]) => unknown;
	/** Starts the example, if nothing has yet. */
	start?: (stage: Stage) => unknown;
	/** What a person does once there is nothing else to wait for. */
	decide?: (stage: Stage) => unknown;
	/** What an answer says; with a file if it has a name. */
	answer?: string;
	file?: string;
	/** What has become of an item, if not only what was written about it, and tasks. */
	outcome?: (stage: Stage, name: string) => unknown;
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
		start: (stage: Stage) => unknown;
		steps: readonly string[];
		outcome: (stage: Stage) => unknown;
		expected: unknown;
	};
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
/** What an answer says unless a row has fields. */
export const answerText =
	'Sign it with two changes:\n\n3. Liability: ask for a cap.\n7. Term: ask for two years.';
/** The same with values of answer fields. */
export const answerWith = (fields: object) =>
	`${answerText}\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;
const three = ['Meridian', 'Nordlys', 'Ostrava'];
/** One for each step that may fail without stopping the others. */
const more = [...three, 'Porto', 'Quito', 'Riga', 'Salta'];
const aside = ['When It Fails', 'Tell Owner', 'Every Morning', 'Can It Be Read?'];
const isTrigger = ({ type }: INode) => /trigger$/i.test(type);

/** The steps of an example that call a product or the service, but for its triggers. */
async function outsideSteps(example: string): Promise<INode[]> {
	const { nodes } = await readExample(`${example}.json`);
	return nodes.filter(
		(node) => !isTrigger(node) && findCredentials(node).length > 0 && !aside.includes(node.name),
	);
}

const listFailures = (executions: readonly Execution[]) =>
	executions.flatMap(({ failure }) => failure?.message ?? []);

/** The step at which an execution has stopped. */
const readLastStep = ({ stored }: Execution) =>
	asText(asRecord(stored.resultData, 'The result').lastNodeExecuted, 'The last node');

/** The line that looks each morning whether a trigger's product can be read: it can. */
async function lookEveryMorning(stage: Stage) {
	if (!stage.workflow.nodes.some(({ name }) => name === 'Every Morning')) return;
	await stage.startBy('Every Morning');
	expect((await stage.over()).at(-1)?.runs).toHaveProperty('Can It Be Read?');
}

/** What happens to an item's question, or the step that is refused for the item. */
type Happens = Record<string, string>;

/** Has the service answer the questions of these items; `isRefused` says of which the asking is refused. */
function answerQuestions(
	{ service }: Stage,
	{ file }: Row,
	{ names, happens, words }: { names: readonly string[]; happens: Happens; words: string },
	isRefused: (what: string) => boolean,
) {
	service.settings.answer = ({ text, attachments }) => {
		const asked = JSON.stringify([text, attachments]);
		const name = names.find((each) => asked.includes(each)) ?? names[0] ?? '';
		const what = happens[name] ?? 'completed';
		if (isRefused(what)) throw new Refusal(403, 'forbidden', 'You have no access');
		const content = Buffer.from(file ?? '');
		const attached = { fileName: file ?? '', contentType: word, content };
		return {
			status: what === 'error' || what === 'filtered' ? what : 'completed',
			answer: words,
			attachments: file === undefined || what === 'no file' ? [] : [attached],
			after: Infinity,
		};
	};
}

/**
 * Retries what has stopped until nothing does, and adds it to a list. Each time, the owner is told, unless a person has started it
 * by hand.
 */
async function retryUntilNothingStops(stage: Stage, decide: Row['decide'], stopped: Execution[]) {
	for (;;) {
		const news = (await stage.over(() => decide?.(stage))).filter(
			({ id, status }) => status === 'error' && stopped.every((known) => known.id !== id),
		);
		if (news.length === 0) return;
		for (const step of news.map(readLastStep))
			expect(stopped.map(readLastStep)).not.toContain(step);
		stopped.push(...news);
		const told = () =>
			stage.smtp.emails.filter(({ subject }) => subject === `Stopped: ${stage.workflow.name}`)
				.length;
		await expect
			.poll(told, { timeout: 20_000 })
			.toBe(stopped.filter(({ mode }) => mode !== 'manual').length);
		for (const execution of news) {
			stage.allow(readLastStep(execution));
			await stage.retry(execution);
		}
	}
}

async function trySecondLine(stage: Stage, { second, decide }: Row) {
	if (second === undefined) return;
	await second.start(stage);
	expect(listFailures(await stage.over(() => decide?.(stage)))).toEqual([]);
	expect(second.outcome(stage)).toEqual(second.expected);
}

/** What may happen to the items of an execution that goes on, with what becomes of each: all in one, or one in each. */
function executionsThatGoOn(row: Row, isForSeveral: boolean) {
	const noAnswer = [
		...(isForSeveral ? ['filtered', 'error'] : ['error']),
		...(row.file === undefined ? [] : ['no file']),
	];
	const mishaps = [
		...noAnswer.map((status) => [status, row.unanswered] as const),
		...Object.entries(row.broken),
	].filter(([, fate]) => fate !== undefined && fate !== 'stops');
	const executions =
		isForSeveral && mishaps.length > 0
			? [[['completed', row.answered] as const, ...mishaps]]
			: mishaps.map((mishap) => [mishap]);
	return executions.map((each) => [each.map(([what]) => what).join(', '), each] as const);
}

const isAsking = ({ parameters }: INode) => parameters.resource === 'question';

/** Runs an example until all is over, with its usual items, answered in its usual words, unless told otherwise. */
async function run(
	stage: Stage,
	row: Row,
	{
		names = row.items ?? three,
		happens = {},
		words = row.answer ?? answerText,
	}: { names?: readonly string[]; happens?: Happens; words?: string } = {},
) {
	const asks = (step: string) =>
		stage.workflow.nodes.some((node) => node.name === step && isAsking(node));
	stage.products.items = names;
	answerQuestions(stage, row, { names, happens, words }, asks);
	for (const [name, what] of Object.entries(happens)) if (!asks(what)) stage.refuse(what, name);
	await row.receive?.(stage, names);
	await row.start?.(stage);
	return await stage.over(() => row.decide?.(stage));
}

/**
 * Tries an example: as it should go; with what fails for an item and lets the others go on, each for an item of one execution;
 * and with each step that stops it refused in turn.
 */
export async function tryExample(row: Row) {
	const { example, items = three, decide, second } = row;
	const { outcome = describeOutcome } = row;
	const [first = ''] = items;
	const steps = await outsideSteps(example);
	const stopping = Object.entries(row.broken).flatMap(([step, fate]) =>
		fate === 'stops' ? step : [],
	);
	/** What has become of items. */
	const outcomes = (stage: Stage, names = items) => names.map((name) => outcome(stage, name));

	describe(example, () => {
		test.beforeAll(async ({ startedStage }) => {
			await startedStage.publish(example);
		});

		test('does what it is for', async ({ stage }) => {
			const executions = await run(stage, row);
			expect(listFailures(executions)).toEqual([]);
			expect(outcomes(stage)).toEqual(items.map(() => row.answered));
			await takeResultPicture(stage, example, first, row.page?.());
			await lookEveryMorning(stage);
			const reached = steps.filter(({ name }) => executions.some(({ runs }) => name in runs));
			expect(Object.keys(row.broken).sort()).toEqual(
				[...reached.map(({ name }) => name), ...(second?.steps ?? [])].sort(),
			);
			await trySecondLine(stage, row);
		});

		test.for(executionsThatGoOn(row, items.length > 1))(
			'goes on: %s',
			async ([, all], { stage }) => {
				const names = items.length > 1 ? more.slice(0, all.length) : items;
				const happens = Object.fromEntries(
					names.map((name, index) => [name, all[index]?.[0] ?? '']),
				);
				expect(listFailures(await run(stage, row, { names, happens }))).toEqual([]);
				expect(outcomes(stage, names)).toEqual(all.map(([, fate]) => fate));
			},
		);

		test.for(Object.entries(row.otherAnswers ?? {}))(
			'%s',
			async ([, [words, expected]], { stage }) => {
				expect(listFailures(await run(stage, row, { words }))).toEqual([]);
				expect(outcomes(stage)).toEqual(items.map(() => expected));
			},
		);

		if (stopping.length > 0)
			test('stops at each step that has no other way, says so, and goes on with a retry', async ({
				stage,
			}) => {
				for (const step of stopping) stage.refuse(step, first);
				const stopped: Execution[] = [];
				await run(stage, row);
				await retryUntilNothingStops(stage, decide, stopped);
				expect(outcomes(stage)).toEqual(items.map(() => row.answered));
				// Whichever item it begins with.
				stage.products.items = [];
				await second?.start(stage);
				await retryUntilNothingStops(stage, decide, stopped);
				expect(new Set(stopped.map(readLastStep))).toEqual(new Set(stopping));
			});
	});
}
