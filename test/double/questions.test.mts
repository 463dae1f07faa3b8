import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { NODE, type NodeRun } from '../support/engine/engine.mts';
import { listening } from '../support/engine/listening.mts';
import type { Double } from './double.mts';
import type { Json } from './pages.mts';
import { everyService, expectSuccess, runAgainst, runToItsEnd } from './property.mts';

const QUESTIONS = ['May we sign?', 'Is the cap usual?', 'Who signs?'];
const items = fc
	.integer({ min: 1, max: 3 })
	.map((count) => QUESTIONS.slice(0, count).map((words) => ({ json: { words } })));
const signing = [{ json: { words: 'Sign?' } }];

const parameters = { resource: 'question', question: '={{ $json.words }}' };

/** Checks that no question was asked twice. */
function expectAskedOnce({ sandbox }: Double): void {
	const texts = sandbox.questions.map(({ text }) => text);
	expect(texts).toEqual([...new Set(texts)]);
}

/** Checks that an item is a question with exactly the answer that the service has for it. */
function expectAnswer(
	{ description: { questions: style }, sandbox, shown }: Double,
	json: Json | undefined,
	withAssistant = true,
): void {
	const question = sandbox.questions.find(({ id }) => shown.questionId(id) === json?.id);
	expect(question?.status).toMatch(/completed|error|filtered/);
	const isFiltered = question?.status === 'filtered';
	expect(json).toMatchObject({
		status: question?.status,
		answer: style.answer,
		session_id: question && shown.sessionId(question),
		...(withAssistant ? { assistant_id: question?.assistantId } : {}),
	});
	expect(json?.reason ?? null).toBe(isFiltered ? style.reason : null);
	const files = question?.status === 'completed' ? style.attachments : [];
	const attachments = (Array.isArray(json?.attachments) ? json.attachments : []) as Json[];
	expect(attachments.map(({ file_name }) => file_name).sort()).toEqual(
		files.map(({ name }) => name).sort(),
	);
}

/** Checks that a run has the question of each item, in order. */
function expectInOrder({ sandbox, shown }: Double, run: NodeRun, given: typeof signing): void {
	expectSuccess(run);
	const asked = run.json.map(
		({ id }) => sandbox.questions.find((question) => shown.questionId(question.id) === id)?.text,
	);
	expect(asked).toEqual(given.map(({ json }) => json.words));
}

describe('questions, whatever the service does where the specification is open,', () => {
	test.each(['polling', 'callback', 'sync'])(
		'come out with exactly the answers of the service: %s',
		async (waitUsing) => {
			await everyService({}, items, async (service, given) => {
				const run = await runToItsEnd(service, {
					parameters: { ...parameters, operation: 'askAndWait', options: { waitUsing } },
					items: given,
				});
				expectAskedOnce(service);
				expectInOrder(service, run, given);
				const { answersInTime, outcome } = service.description.questions;
				const isLate = waitUsing === 'sync' && !answersInTime && outcome !== 'filtered';
				for (const json of run.json) {
					if (isLate) expect(json).toMatchObject({ status: 'in_progress', answer: null });
					else expectAnswer(service, json);
				}
			});
		},
	);

	test('can be looked up and waited for by their IDs', async () => {
		await everyService({}, fc.constantFrom('get', 'waitForAnswer'), async (service, operation) => {
			const asked = await runAgainst(service, {
				parameters: { ...parameters, operation: 'ask' },
				items: signing,
			});
			const run = await runToItsEnd(service, {
				parameters: { resource: 'question', operation, questionId: '={{ $json.id }}' },
				items: asked.items,
			});
			expectInOrder(service, run, signing);
			const { before, outcome } = service.description.questions;
			const seen = outcome === 'filtered' ? undefined : before[1];
			if (operation === 'get' && seen !== undefined)
				expect(run.json).toMatchObject([{ status: seen }]);
			else expectAnswer(service, run.json[0]);
		});
	});

	test('are asked once each, and start the workflow of a trigger once each, with exactly the answer', async () => {
		await everyService({}, items, async (service, given) => {
			const { url: callbackUrl, ...active } = await listening({ sandbox: service });
			const asked = await runAgainst(service, {
				parameters: { ...parameters, operation: 'ask', callbackTarget: 'url', callbackUrl },
				items: given,
			});
			expectAskedOnce(service);
			expectInOrder(service, asked, given);
			expect(asked.json.every(({ assistant_id: id }) => id === 'default')).toBe(true);
			await service.finishQuestions();
			const { signed, times } = service.description.callbacks;
			const begun = active.begun();
			for (const question of service.sandbox.questions.slice(0, begun)) {
				const id = service.shown.questionId(question.id);
				const execution = await active.waitForExecution(
					(ending) => ending.itemsOf(NODE)[0]?.json.id === id,
				);
				expectAnswer(service, execution.itemsOf(NODE)[0]?.json, false);
			}
			await active.deactivate();
			expect(begun).toBe(signed && times > 0 ? given.length : 0);
		});
	});
});
