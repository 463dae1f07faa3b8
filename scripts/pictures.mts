// `node scripts/pictures.mts [example.json …]`: shows examples as n8n's editor does, in examples/pictures/; by default, those there.
import { readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Editor } from '../harness/editor.mts';
import { credentialType, importExample } from '../harness/examples.mts';
import { projectFolder } from '../harness/installedPackage.mts';
import { startN8n } from '../harness/n8n.mts';

const folder = join(projectFolder, 'examples', 'pictures');
const margin = 24;

/** What of the editor is not the workflow. */
const otherThanWorkflow = `
	[data-test-id="main-sidebar"], #header, #footer, .vue-flow__panel, [class*="executionButtons"], [class*="toast"],
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="node-issues"] { display: none !important; }
`;

/** A picture of the rectangle around all nodes with their labels, once nothing in it moves any more. */
async function takePicture({ page }: Editor): Promise<Buffer> {
	await page.setViewportSize({ width: 1280, height: 1100 });
	await page.locator('.vue-flow__node').first().waitFor();
	await page.addStyleTag({ content: otherThanWorkflow });
	await page.keyboard.press('1');
	let before = '';
	for (;;) {
		const edges = await page
			.locator('.vue-flow__node, .vue-flow__node [class*="description"]')
			.evaluateAll((parts) =>
				parts.map((part) => part.getBoundingClientRect()).map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
			);
		const [x, y] = [Math.min(...edges.map(({ left }) => left)) - margin, Math.min(...edges.map(({ top }) => top)) - margin];
		const clip = {
			x,
			y,
			width: Math.max(...edges.map(({ right }) => right)) + margin - x,
			height: Math.max(...edges.map(({ bottom }) => bottom)) + margin - y,
		};
		if (JSON.stringify(clip) === before) return await page.screenshot({ clip });
		before = JSON.stringify(clip);
		await page.waitForTimeout(200);
	}
}

const chosen = process.argv.slice(2).map((path) => basename(path, '.json'));
const names = chosen.length > 0 ? chosen : (await readdir(folder)).map((name) => basename(name, '.png'));
const n8n = await startN8n();
try {
	const data = { baseUrl: 'https://legal-ai.example.com/api/v1', apiKey: 'sk-svc-api1-example' };
	const credential = await n8n.createCredential(credentialType, 'Legal AI', data);
	const editor = await Editor.open(n8n);
	for (const name of names) {
		const { id } = await importExample(n8n, `${name}.json`, credential);
		await editor.openWorkflow(id);
		await writeFile(join(folder, `${name}.png`), await takePicture(editor));
	}
	await editor.close();
} finally {
	await n8n.close();
}
