import { afterAll, beforeAll, expect, test } from 'vitest';

import { Editor } from '../../../harness/editor.mts';
import { credentialType, exampleNames, importExample } from '../../../harness/examples.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';

let n8n: N8n;
let editor: Editor;
let credential: StoredCredential;
beforeAll(async () => {
	n8n = await startN8n();
	credential = await n8n.createCredential(credentialType, 'Legal AI', {
		baseUrl: 'https://legal-ai.example/api/v1',
		apiKey: 'sk-svc-api1-example',
	});
	editor = await Editor.open(n8n);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
});
afterAll(async () => {
	await editor.close();
	await n8n.close();
});

test.each(await exampleNames())('%s opens at 1280 × 800 with all of its notes in full', async (name) => {
	const { id, nodes } = await importExample(n8n, name, credential);
	await editor.openWorkflow(id);
	await expect.poll(async () => await editor.page.locator('.vue-flow__node').count(), { timeout: 30_000 }).toBe(nodes.length);
	const shownNotes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length;
	await expect.poll(async () => await editor.page.locator('[data-test-id="sticky"]').count()).toBe(shownNotes);
	const notes = editor.page.locator('[data-test-id="sticky"] [class*="wrapper"], [data-test-id="sticky"] .sticky-content');
	// Each note is measured, frame and content.
	expect(await notes.count()).toBeGreaterThanOrEqual(shownNotes);
	const cut = await notes.evaluateAll((parts) =>
		parts.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 2).map(({ textContent }) => textContent),
	);
	expect(cut).toEqual([]);
	const edges = await editor.page
		.locator('.vue-flow__node')
		.evaluateAll((parts) =>
			parts.map((part) => part.getBoundingClientRect()).map(({ left, right, bottom }) => [left, right, bottom]),
		);
	expect(edges.filter(([left = 0, right = 0, bottom = 0]) => left < 0 || right > 1280 || bottom > 800)).toEqual([]);
});
