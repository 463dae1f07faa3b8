import { join } from 'node:path';

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Editor } from '../../../harness/editor.mts';
import { credentialType } from '../../../harness/examples.mts';
import { formLogin } from '../../../harness/form.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { completeAll } from '../parkedQuestions.mts';
import { keyOf } from '../service.mts';
import { linkIn, SmtpServer } from '../smtpServer.mts';

let n8n: N8n;
let sandbox: Sandbox;
let smtp: SmtpServer;
let editor: Editor;
beforeAll(async () => {
	[n8n, sandbox, smtp] = await Promise.all([startN8n(), startSandbox(), SmtpServer.start()]);
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Usual terms. Sign.', after: Infinity });
	// What a new user has before, or makes on the way, as anywhere in n8n.
	await n8n.createCredential(credentialType, 'Legal AI', keyOf(sandbox));
	await n8n.createCredential('httpBasicAuth', 'Form', formLogin);
	await n8n.createCredential('smtp', 'Mailbox', smtp.credential);
	editor = await Editor.open(n8n);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
});
afterAll(async () => {
	await editor.close();
	await Promise.all([n8n.close(), sandbox.close(), smtp.close()]);
});

let clicks = 0;
async function click(element: Locator): Promise<void> {
	await element.click();
	clicks += 1;
}

/** Opens a node, chooses its credential, does something more in its panel, and closes it. */
async function inNode(name: string, credential: string, act?: () => Promise<void>): Promise<void> {
	await editor.page.locator(`.vue-flow__node [data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
	clicks += 1;
	await editor.part('node-parameters').waitFor();
	const select = editor.part('node-credentials-select');
	await click(select);
	await click(editor.page.locator('[data-test-id^="node-credentials-select-item-"]:visible').filter({ hasText: credential }));
	await act?.();
	await click(editor.part('ndv-close-button'));
}

/** Fills in a form in a page of its own, and sends it. */
async function withPage(act: (page: Page) => Promise<void>): Promise<void> {
	const context = await editor.page.context().browser()?.newContext({ httpCredentials: { username: formLogin.user, password: formLogin.password } });
	if (context === undefined) throw new Error('There is no browser');
	await act(await context.newPage());
	await context.close();
}

test('nda-triage.json: whoever follows the yellow note alone gets from the file to a decision with 27 clicks', async () => {
	const { page } = editor;
	await editor.openNewWorkflow();
	await click(editor.part('workflow-menu'));
	await page.getByText('Import', { exact: true }).hover();
	const chosen = page.waitForEvent('filechooser');
	await click(page.getByText('From file', { exact: true }));
	await (await chosen).setFiles(join(projectFolder, 'examples', 'nda-triage.json'));
	await page.locator('.vue-flow__node').nth(12).waitFor();
	await expect(page.locator('[data-test-id="sticky"]').first().innerText()).resolves.toContain('Set up');

	await inNode('NDA Comes In', 'Form');
	await inNode('Review NDA', 'Legal AI', async () => {
		await editor.part('resource-locator-playbook').locator('input').last().fill('Mutual NDA');
	});
	await inNode('Create Task for a Lawyer', 'Legal AI');
	await inNode('Ask Lawyer', 'Mailbox');
	await inNode('Send Decision', 'Mailbox');
	await click(editor.part('workflow-open-publish-modal-button'));
	await click(editor.part('workflow-publish-button'));
	await page.getByText('Workflow published').waitFor();
	await click(page.getByRole('button', { name: 'Got it' }));
	const id = /workflow\/(\w+)/.exec(page.url())?.[1] ?? '';
	const workflow = await n8n.workflow(id);
	expect(workflow.name).toBe("Review NDAs with legal AI and a lawyer's approval by email");

	await withPage(async (form) => {
		await form.goto(`${n8n.baseUrl}/form/legal-nda`);
		await form.locator('[name="field-0"]').fill('sales@example.com');
		await form.locator('[name="field-1"]').fill('Meridian');
		await form.locator('input[type=file]').setInputFiles(join(projectFolder, 'examples', 'contracts', 'mutual-nda.pdf'));
		await click(form.getByRole('button', { name: 'Submit' }));
		// The form itself says the rest of it.
		await form.getByText('Thank you.').waitFor();
	});
	const { id: execution } = await n8n.waitForNextExecution(id, [], ['waiting']);
	await completeAll(sandbox);
	const email = await smtp.waitForEmail(({ to }) => to.text === 'lawyer@example.com', { timeout: 60_000 });
	await n8n.waitForExecution(execution, ['waiting']);
	await withPage(async (form) => {
		await form.goto(linkIn(email, 'Decide'));
		await form.locator('select').selectOption('Approve');
		await click(form.getByRole('button', { name: 'Send Decision' }));
		await form.getByText('Got it, thanks').waitFor();
	});
	const told = await smtp.waitForEmail(({ to }) => to.text === 'sales@example.com');
	expect(told.text).toContain('You can sign it');
	expect(clicks).toBe(27);
});
