import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import type { NodeRun } from '../support/engine/engine.mts';
import { expectAnswer } from './answers.mts';
import { partsOfService } from './arbitrary.mts';
import type { Double } from './double.mts';
import { everyService, expectSuccess, hasFailed, runAgainst, runToItsEnd } from './property.mts';

beforeAll(() => {
	install(400);
});
afterAll(uninstall);

const QUESTIONS = ['May we sign?', 'Is the cap usual?', 'Who signs?'];
const items = fc.integer({ min: 1, max: 3 }).map((count) => QUESTIONS.slice(0, count).map((words) => ({ json: { words } })));

/** Services that take on every question that they are asked. */
const answering = { questions: partsOfService.questions.map((style) => ({ ...style, asking: 'answered' as const })) };

const parameters = { resource: 'question', question: '={{ $json.words }}' };

/** Checks that no question was asked twice. */
function expectAskedOnce({ truth }: Double): void {
	const texts = truth.questions.map(({ text }) => text);
	expect(texts).toEqual([...new Set(texts)]);
}

/** Checks that an error says that the service may have accepted what it did not answer. */
function expectDoubt({ error }: NodeRun): void {
	expect(`${error?.message ?? ''} ${error?.description ?? ''}`).toMatch(/may (still )?have (been )?accepted/);
}

/** Checks that a run has an answer for each item, in order. */
function expectAnswers(service: Double, run: NodeRun, count: number): void {
	expectSuccess(run);
	expect(run.json).toHaveLength(count);
	for (const json of run.json) expectAnswer(service, json);
	const asked = run.json.map(({ id }) => service.truth.questions.find((question) => question.id === id)?.text);
	expect(asked).toEqual(QUESTIONS.slice(0, count));
}

describe('questions, whatever the service makes of what is open,', () => {
	test('are asked once each, and come out with the id they were given', async () => {
		await everyService(answering, items, async (service, given) => {
			const run = await runAgainst(service, { parameters: { ...parameters, operation: 'ask' }, items: given });
			expectAskedOnce(service);
			expectSuccess(run);
			const { truth } = service;
			const texts = run.json.map(({ id }) => truth.questions.find((question) => question.id === id)?.text);
			expect(texts).toEqual(given.map(({ json }) => json.words));
			expect(run.json.every(({ assistant_id: id }) => id === 'default')).toBe(true);
		});
	});

	test('are never asked twice, and are not reported as asked where nobody knows', async () => {
		const way = fc.constantFrom<INodeParameters>({ operation: 'ask' }, ...['polling', 'sync', 'callback'].map((waitUsing) => ({ operation: 'askAndWait', options: { waitUsing } })));
		await everyService({}, way, async (service, chosen) => {
			const { questions, callbacks } = service.description;
			if (questions.asking === 'answered') return;
			const run = await runAgainst(service, { parameters: { ...parameters, ...chosen }, items: [{ json: { words: 'Sign?' } }] });
			expectAskedOnce(service);
			// An answer that was called back before the request to ask broke off may count.
			if (callbacks.when === 'before' && run.status !== 'error') return;
			expect(hasFailed(run)).toBe(true);
			expectDoubt(run);
		});
	});

	test('come out with exactly the answers of the service, when it is polled', async () => {
		await everyService(answering, items, async (service, given) => {
			const run = await runToItsEnd(service, {
				parameters: { ...parameters, operation: 'askAndWait', options: { waitUsing: 'polling' } },
				items: given,
			});
			expectAskedOnce(service);
			expectAnswers(service, run, given.length);
		});
	});

	test('come out with exactly the answers of the service, when it is waited for them at once', async () => {
		await everyService(answering, items, async (service, given) => {
			const run = await runToItsEnd(service, {
				parameters: { ...parameters, operation: 'askAndWait', options: { waitUsing: 'sync' } },
				items: given,
			});
			expectAskedOnce(service);
			const { sync, outcome } = service.description.questions;
			if (sync === 'answer' || outcome === 'filtered') {
				expectAnswers(service, run, given.length);
				return;
			}
			if (hasFailed(run)) return;
			for (const json of run.json) if (json.status !== 'in_progress') expectAnswer(service, json);
		});
	});

	test('can be looked at and waited for by their ids', async () => {
		const operation = fc.constantFrom('get', 'waitForAnswer');
		await everyService(answering, operation, async (service, chosen) => {
			const asked = await runAgainst(service, { parameters: { ...parameters, operation: 'ask' }, items: [{ json: { words: 'Sign?' } }] });
			const id = service.truth.questions[0]?.id ?? '';
			expect(asked.json).toMatchObject([{ id }]);
			const run = await runToItsEnd(service, {
				parameters: { resource: 'question', operation: chosen, questionId: '={{ $json.id }}' },
				items: asked.items,
			});
			expectSuccess(run);
			const { before, outcome } = service.description.questions;
			const seen = outcome === 'filtered' ? undefined : before[1];
			if (chosen === 'get' && seen !== undefined) expect(run.json).toMatchObject([{ id, status: seen }]);
			else expectAnswer(service, run.json[0]);
		});
	});
});
