import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import type { Sandbox } from '../test/sandbox/sandbox.mts';
import type { Editor } from './editor.mts';
import { projectFolder } from './installedPackage.mts';

/** The steps to a first answer, as the README shows them. */
export type FirstAnswerStep = 'credential' | 'question' | 'waiting' | 'redline' | 'answer';

/** The workflow that the README gives to copy. */
async function workflowInReadme() {
	const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
	const [, workflow] = /```json\n(.*?)```/s.exec(readme) ?? [];
	if (workflow === undefined) throw new Error('README.md has no workflow to copy');
	return workflow;
}

/**
 * Goes from an n8n without workflows to the redline of a contract that comes with a form, as the README tells a new user to: only
 * by mouse and keyboard.
 *
 * @param service a service that answers once its question is completed by the test: `answer` with `after: Infinity`
 * @param shown called when a step is done, with what of the editor shows it
 */
export async function reachFirstAnswer(
	editor: Editor,
	service: Sandbox,
	shown: (step: FirstAnswerStep, part: Locator) => Promise<void> = () => Promise.resolve(),
) {
	const { page } = editor;
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await editor.goTo('/home/workflows');
	await page.evaluate(
		async (workflow) => {
			await navigator.clipboard.writeText(workflow);
		},
		await workflowInReadme(),
	);

	await page.getByText('Build a workflow').click();
	await editor.part('canvas-add-button').waitFor();
	await page.keyboard.press('Control+V');
	const node = editor.part('canvas-node').filter({ hasText: 'Legal AI' });
	await node.dblclick();

	await editor
		.part('node-credentials-empty-state')
		.getByRole('button', { name: 'Connect to Legal AI' })
		.click();
	const credential = editor.part('editCredential-modal');
	for (const [field, text] of [
		['baseUrl', service.baseUrl],
		['apiKey', service.apiKey],
	] as const) {
		await editor.parameter(field).locator('input').click();
		await page.keyboard.insertText(text);
	}
	await shown('credential', credential);
	await editor.part('credential-save-button').click();
	await credential.waitFor({ state: 'hidden' });

	await editor.parameter('playbook').click();
	await editor.part('rlc-item').getByText('Mutual NDA').click();
	const panel = editor.part('ndv');
	await shown('question', panel);

	const opened = page.context().waitForEvent('page');
	await editor.part('node-execute-button').click();
	const form = await opened;
	const chosen = form.waitForEvent('filechooser');
	await form.locator('input[type=file]').click();
	await (await chosen).setFiles(join(projectFolder, 'examples', 'contracts', 'mutual-nda.pdf'));
	await form.getByRole('button', { name: 'Submit' }).click();
	const output = editor.part('output-panel');
	await output.getByText('Waiting for the answer').waitFor();
	await shown('waiting', panel);

	for (const { id } of service.questions) await service.complete(id);
	await output.getByText('mutual-nda-redline.docx').waitFor();
	await shown('redline', output);
	await output.getByText('Table', { exact: true }).click();
	await output.getByText('completed', { exact: true }).waitFor();
	await shown('answer', panel);
}
