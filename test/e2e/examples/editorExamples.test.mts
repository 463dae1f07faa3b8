import { afterAll, expect, test } from 'vitest';

import { Editor } from '../../../harness/editor.mts';
import { exampleNames, importExample } from '../../../harness/examples.mts';
import { sharedN8n } from '../../support/n8n/service.mts';

const n8n = sharedN8n();
const editor = await Editor.open(n8n);
const { page } = editor;
await page.setViewportSize({ width: 1280, height: 800 });
afterAll(() => editor.close());

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
