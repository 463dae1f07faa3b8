import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

import { Editor } from '../../../harness/editor.mts';
import { credentialType, exampleNames, importExample } from '../../../harness/examples.mts';
import { formLogin } from '../../../harness/form.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { until } from '../../../harness/polling.mts';
import { completeAll } from '../../support/n8n/parkedQuestions.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const { n8n, sandbox, smtp } = stage;
const editor = await Editor.open(n8n);
const { page } = editor;
await page.setViewportSize({ width: 1280, height: 800 });
afterAll(async () => {
	await editor.close();
});

/** Opens a node, chooses its credential, does something more in its panel, and closes it. */
async function inNode(name: string, credential: string, act?: () => Promise<void>): Promise<void> {
	await page
		.locator(`.vue-flow__node [data-test-id="canvas-node"][data-node-name="${name}"]`)
		.dblclick();
	await editor.part('node-parameters').waitFor();
	await editor.part('node-credentials-select').click();
	await page
		.locator('[data-test-id^="node-credentials-select-item-"]:visible')
		.filter({ hasText: credential })
		.click();
	await act?.();
	await editor.part('ndv-close-button').click();
}

/** Fills in a form in a page of its own, and sends it. */
async function withPage(act: (page: Page) => Promise<void>): Promise<void> {
	const context = await page
		.context()
		.browser()
		?.newContext({ httpCredentials: { username: formLogin.user, password: formLogin.password } });
	if (context === undefined) throw new Error('There is no browser');
	await act(await context.newPage());
	await context.close();
}

test('nda-triage.json: a user who only follows the yellow note gets from the file to a decision', async () => {
	sandbox.settings.answer = () => ({
		status: 'completed',
		answer: 'Usual terms. Sign.',
		after: Infinity,
	});
	await editor.openNewWorkflow();
	await editor.part('workflow-menu').click();
	await page.getByText('Import', { exact: true }).hover();
	const chosen = page.waitForEvent('filechooser');
	await page.getByText('From file', { exact: true }).click();
	await (await chosen).setFiles(join(projectFolder, 'examples', 'nda-triage.json'));
	await page.locator('.vue-flow__node').nth(12).waitFor();
	await expect(page.locator('[data-test-id="sticky"]').first().innerText()).resolves.toContain(
		'Set up',
	);

	await inNode('NDA Comes In', 'httpBasicAuth');
	await inNode('Review NDA', credentialType, async () => {
		await editor.part('resource-locator-playbook').locator('input').last().fill('Mutual NDA');
	});
	for (const name of ['Create Task to Decide', 'Wait', 'Ask Again'])
		await inNode(name, credentialType);
	for (const name of ['Send Interim Note', 'Send Decision', 'Ask by Email'])
		await inNode(name, 'smtp');
	await editor.part('workflow-open-publish-modal-button').click();
	await editor.part('workflow-publish-button').click();
	await page.getByText('Workflow published').waitFor();
	await page.getByRole('button', { name: 'Got it' }).click();
	const id = /workflow\/(\w+)/.exec(page.url())?.[1] ?? '';
	const workflow = await n8n.workflow(id);
	expect(workflow.name).toBe(
		"Review NDAs with legal AI and a lawyer's decision in the list of tasks",
	);

	await withPage(async (form) => {
		await form.goto(`${n8n.baseUrl}/form/legal-nda`);
		await form.locator('[name="field-0"]').fill('sales@example.com');
		await form.locator('[name="field-1"]').fill('Meridian');
		await form
			.locator('input[type=file]')
			.setInputFiles(join(projectFolder, 'examples', 'contracts', 'mutual-nda.pdf'));
		await form.getByRole('button', { name: 'Submit' }).click();
		// The form itself says the rest of it.
		await form.getByText('Thank you.').waitFor();
	});
	const { id: execution } = await n8n.waitForNextExecution(id, [], ['waiting']);
	await completeAll(sandbox);
	const task = await until('the task to decide', () =>
		Promise.resolve(sandbox.tasks.ordered().find(({ title }) => title.includes('Meridian'))),
	);
	sandbox.tasks.update(task, {
		description: `${task.description ?? ''} approved`,
		status: 'completed',
	});
	// The node looks about once a minute.
	await n8n.waitForExecution(execution, undefined, { timeout: 120_000 });
	expect(smtp.emails).toMatchObject([
		{
			to: { text: 'sales@example.com' },
			text: expect.stringContaining('You can sign this file') as unknown,
		},
	]);
});

test.each(await exampleNames())('%s opens with all of its notes in full', async (name) => {
	const { id, nodes } = await importExample(n8n, name);
	await editor.openWorkflow(id);
	await expect
		.poll(async () => await page.locator('.vue-flow__node').count(), { timeout: 30_000 })
		.toBe(nodes.length);
	const notes = page.locator(
		'[data-test-id="sticky"] [class*="wrapper"], [data-test-id="sticky"] .sticky-content',
	);
	// Each note is measured, frame and content.
	const shown = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length;
	await expect.poll(async () => await notes.count()).toBeGreaterThanOrEqual(shown);
	const cut = await notes.evaluateAll((parts) =>
		parts
			.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 2)
			.map(({ textContent }) => textContent),
	);
	expect(cut).toEqual([]);
});
