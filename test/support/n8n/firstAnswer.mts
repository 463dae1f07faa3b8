import type { Locator } from 'playwright-core';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import type { Editor } from './editor.mts';
import { isN8n1 } from './versions.mts';

/** The steps to a first answer, as the README shows them. */
export const firstAnswerSteps = ['action', 'credential', 'question', 'waiting', 'answer'] as const;
export type FirstAnswerStep = (typeof firstAnswerSteps)[number];

/** What a person did in the editor. */
export interface Effort {
	clicks: number;
	entries: number;
}

/**
 * Goes from an empty workflow to a first answer, as the README tells a new user to.
 *
 * @param service a service that answers once its question is completed by the test: `answer` with `after: Infinity`
 * @param shown called when a step is done, with what of the editor shows it
 */
export async function reachFirstAnswer(
	editor: Editor,
	service: Sandbox,
	shown: (step: FirstAnswerStep, part: Locator) => Promise<void>,
): Promise<Effort> {
	const effort = { clicks: 0, entries: 0 };
	const click = async (element: Locator): Promise<void> => {
		await element.click();
		effort.clicks += 1;
	};
	const enter = async (field: Locator, text: string): Promise<void> => {
		await field.fill(text);
		effort.entries += 1;
	};

	await editor.openNewWorkflow();
	await click(editor.part('canvas-add-button'));
	await enter(editor.part('node-creator-search-bar'), 'legal');
	const creator = editor.part('node-creator');
	await click(creator.getByText('Legal AI', { exact: true }));
	await click(creator.getByText('Actions ('));
	const action = creator.getByText('Ask legal question and wait for answer');
	await action.hover();
	await shown('action', creator);
	await click(action);

	const panel = editor.part('ndv');
	if (isN8n1(editor.version)) {
		// In n8n 1, the list of credentials is shown although there are none.
		await click(editor.part('node-credentials-select'));
		await click(editor.part('node-credentials-select-item-new'));
	} else {
		await click(editor.part('node-credentials-empty-state').getByRole('button'));
	}
	const credential = editor.part('editCredential-modal');
	await enter(editor.parameter('baseUrl').locator('input'), service.baseUrl);
	await enter(editor.parameter('apiKey').locator('input'), service.apiKey);
	await enter(editor.parameter('webhookSecret').locator('input'), service.webhookSecret);
	await shown('credential', credential);
	await click(editor.part('credential-save-button'));
	if (isN8n1(editor.version)) {
		// In n8n 1, the dialog stays open, to show that the credential was tested.
		await credential.getByText('Connection tested successfully').waitFor();
		await click(credential.getByLabel('Close this dialog'));
	}
	await credential.waitFor({ state: 'hidden' });

	await enter(editor.parameter('question').locator('textarea'), 'Which terms are unusual for a mutual NDA?');
	await shown('question', panel);

	await click(editor.part('node-execute-button'));
	const output = editor.part('output-panel');
	await output.getByText('Waiting for Legal AI to answer').waitFor();
	await output.getByText('Waiting for the answer until').waitFor();
	await shown('waiting', panel);

	for (const { id } of service.questions) await service.complete(id);
	await output.getByText('completed', { exact: true }).waitFor();
	await shown('answer', panel);
	return effort;
}
