import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import type { Sandbox } from '../test/sandbox/sandbox.mts';
import type { Editor } from './editor.mts';
import { projectFolder } from './installedPackage.mts';

/** The steps to a first answer, as the README shows them. */
export const firstAnswerSteps = ['action', 'credential', 'question', 'waiting', 'answer'] as const;
export type FirstAnswerStep = (typeof firstAnswerSteps)[number];

/** What a person did in the editor. */
export interface Effort {
	clicks: number;
	entries: number;
}

/**
 * Goes from an empty workflow to the review of a contract that comes with a form, as the README tells a new user to.
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
	const creator = editor.part('node-creator');
	await click(creator.getByText('On form submission').first());
	const panel = editor.part('ndv');
	await enter(editor.parameter('formTitle').locator('input'), 'Contract review');
	await click(panel.getByText('Add Form Element'));
	await enter(editor.parameter('fieldLabel').locator('input'), 'Contract');
	await click(editor.parameter('fieldType'));
	await click(editor.page.locator('.el-select-dropdown__item:visible').filter({ hasText: /^\s*File\s*$/ }));
	await click(editor.part('ndv-close-button'));

	await click(editor.part('canvas-handle-plus'));
	await enter(editor.part('node-creator-search-bar'), 'legal');
	await click(creator.getByText('Legal AI', { exact: true }));
	const action = creator.getByText('Review contract or ask legal question');
	await action.hover();
	await shown('action', creator);
	await click(action);

	await click(editor.part('node-credentials-empty-state').getByRole('button'));
	const credential = editor.part('editCredential-modal');
	await enter(editor.parameter('baseUrl').locator('input'), service.baseUrl);
	await enter(editor.parameter('apiKey').locator('input'), service.apiKey);
	await shown('credential', credential);
	await click(editor.part('credential-save-button'));
	await credential.waitFor({ state: 'hidden' });

	await enter(editor.parameter('question').locator('textarea'), 'Review this NDA');
	await click(panel.getByText('Add Attachment'));
	// A review needs no playbook, so these two are not counted.
	await editor.parameter('playbook').click();
	await editor.part('rlc-item').getByText('Mutual NDA').click();
	await shown('question', panel);

	const opened = editor.page.context().waitForEvent('page');
	await click(editor.part('node-execute-button'));
	const form = await opened;
	const chosen = form.waitForEvent('filechooser');
	await click(form.locator('input[type=file]'));
	await (await chosen).setFiles(join(projectFolder, 'examples', 'contracts', 'mutual-nda.pdf'));
	await click(form.getByRole('button', { name: 'Submit' }));
	const output = editor.part('output-panel');
	await output.getByText('Waiting for the answer until').waitFor();
	await shown('waiting', panel);

	for (const { id } of service.questions) await service.complete(id);
	await output.getByText('completed', { exact: true }).waitFor();
	await shown('answer', panel);
	return effort;
}
