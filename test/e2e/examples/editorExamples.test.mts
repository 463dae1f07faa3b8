import { Editor } from '../../../harness/editor.mts';
import { exampleNames, readExample } from '../../../harness/examples.mts';
import { sharedN8n } from '../../support/n8n/service.mts';

const n8n = sharedN8n();
const editor = await Editor.open(n8n);
afterAll(() => editor.close());

// All of them on one canvas, which the editor takes as long to open as that of one example.
test("the editor shows all of the examples' notes in full", async () => {
	const examples = await Promise.all((await exampleNames()).map((name) => readExample(name)));
	const notes = examples.flatMap(({ name, nodes }) =>
		nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map((note) => ({ ...note, name: `${name}: ${note.name}` })),
	);
	const { id } = await n8n.createWorkflow({ name: 'Notes', nodes: notes, connections: {} });
	await editor.openWorkflow(id);
	const shown = editor.page.locator('[data-test-id="sticky"]');
	await expect.poll(async () => await shown.count(), { timeout: 30_000 }).toBe(notes.length);
	// Each note is measured, frame and content.
	const cut = await shown
		.locator('[class*="wrapper"], .sticky-content')
		.evaluateAll((parts) =>
			parts
				.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 2)
				.map(({ textContent }) => textContent),
		);
	expect(cut).toEqual([]);
});
