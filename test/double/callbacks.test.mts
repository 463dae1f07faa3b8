import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { activate, LEGAL_AI_TRIGGER, legalAiNode, NODE, workflowAround } from '../support/engine/engine.mts';
import { partsOfService } from './arbitrary.mts';
import { expectAnswer } from './answers.mts';
import { everyService, expectNoSecrets, expectSuccess, runAgainst } from './property.mts';

beforeAll(() => {
	install(400);
});
afterAll(uninstall);

const WAKES_AT_MOST = 60;

const answering = { questions: partsOfService.questions.map((style) => ({ ...style, asking: 'answered' as const })) };
const items = fc
	.integer({ min: 1, max: 3 })
	.map((count) => Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } })));

describe('callbacks in any form, number and order', () => {
	test('bring each waiting item exactly the answer of the service; what they lose is found by looking', async () => {
		await everyService(answering, items, async (service, given) => {
			let run = await runAgainst(service, {
				parameters: { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}', options: { waitUsing: 'callback' } },
				items: given,
			});
			for (let wakes = 0; run.status === 'waiting'; wakes += 1) {
				expect(wakes).toBeLessThan(WAKES_AT_MOST);
				await service.finishQuestions();
				const parked = run;
				// n8n turns down the second of two resumes: then a callback was the first.
				run = await parked.wake().catch(() => parked.resumed());
				expectNoSecrets(service, run.error, run.hints);
			}
			expectSuccess(run);
			expect(run.json).toHaveLength(given.length);
			for (const json of run.json) expectAnswer(service, json);
			const texts = run.json.map(({ id }) => service.truth.questions.find((question) => question.id === id)?.text);
			expect(texts).toEqual(given.map(({ json }) => json.words));
			expect(service.truth.questions).toHaveLength(given.length);
		});
	});

	test('start the workflow of a trigger once for each question, with exactly the answer', async () => {
		let workflows = 0;
		await everyService(answering, items, async (service, given) => {
			workflows += 1;
			const around = workflowAround(legalAiNode({ parameters: {}, node: { type: LEGAL_AI_TRIGGER } }));
			const nodes = around.nodes.filter(({ name }) => name !== 'Before');
			const { [NODE]: after = {} } = around.connections;
			const workflow = { id: `double-${workflows}`, nodes, connections: { [NODE]: after } };
			const active = await activate(workflow, { sandbox: service });
			const [callbackUrl = ''] = active.urls;
			const asked = await runAgainst(service, {
				parameters: { resource: 'question', operation: 'ask', question: '={{ $json.words }}', callbackTarget: 'url', callbackUrl },
				items: given,
			});
			expectSuccess(asked);
			await service.finishQuestions();
			const { signed, times } = service.description.callbacks;
			const begun = active.begun();
			for (const { id } of service.truth.questions.slice(0, begun)) {
				const execution = await active.waitForExecution((ending) => ending.itemsOf(NODE)[0]?.json.id === id);
				expectAnswer(service, execution.itemsOf(NODE)[0]?.json, false);
			}
			await active.deactivate();
			expect(begun).toBe(signed && times > 0 ? given.length : 0);
		});
	});
});
