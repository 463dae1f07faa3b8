// `node scripts/pictures.mts [example.json …]`: shows the examples as n8n's editor does, in examples/pictures/.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Page } from 'playwright-core';

import { Editor } from '../test/support/n8n/editor.mts';
import { credentialType, exampleNames, importExample } from '../test/support/n8n/examples.mts';
import { projectFolder } from '../test/support/n8n/installedPackage.mts';
import { startN8n } from '../test/support/n8n/n8n.mts';

const folder = join(projectFolder, 'examples', 'pictures');
const margin = 24;
const width = 1440;

/** What of the editor is not the workflow. */
const otherThanWorkflow = `
	[data-test-id="main-sidebar"], #header, #footer, .vue-flow__panel, [class*="executionButtons"], [class*="toast"],
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="node-issues"] { display: none !important; }
`;

interface Box {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** The rectangle around all nodes with their labels; fails where the text of a sticky note is cut off. */
async function boxOfWorkflow(page: Page): Promise<Box> {
	return await page.evaluate((around) => {
		const cut = Array.from(document.querySelectorAll('[data-test-id="sticky"] .sticky-content, [data-test-id="sticky"] [class*="wrapper"]'))
			.filter((note) => note.scrollHeight > note.clientHeight + 2)
			.map((note) => (note.textContent ?? '').trim().slice(0, 40));
		if (cut.length > 0) throw new Error(`Sticky notes that are too small: ${cut.join(' | ')}`);
		const boxes = Array.from(document.querySelectorAll('.vue-flow__node, .vue-flow__node [class*="description"]')).map((part) => part.getBoundingClientRect());
		const left = Math.min(...boxes.map(({ left: edge }) => edge)) - around;
		const top = Math.min(...boxes.map(({ top: edge }) => edge)) - around;
		const right = Math.max(...boxes.map(({ right: edge }) => edge)) + around;
		const bottom = Math.max(...boxes.map(({ bottom: edge }) => edge)) + around;
		return { x: left, y: top, width: right - left, height: bottom - top };
	}, margin);
}

async function takePicture(page: Page, address: string): Promise<Buffer> {
	await page.setViewportSize({ width, height: 1100 });
	await page.goto(address);
	await page.locator('.vue-flow__node').first().waitFor();
	await page.addStyleTag({ content: otherThanWorkflow });
	await page.keyboard.press('1');
	let before = '';
	for (;;) {
		const box = await boxOfWorkflow(page);
		const now = JSON.stringify(box);
		if (now === before) return await page.screenshot({ clip: box });
		before = now;
		await page.waitForTimeout(200);
	}
}

const chosen = process.argv.slice(2).map((path) => basename(path));
await mkdir(folder, { recursive: true });
const n8n = await startN8n();
try {
	const baseUrl = 'https://legal-ai.example.com/api/v1';
	const credential = await n8n.createCredential(credentialType, 'Legal AI', { baseUrl, apiKey: 'sk-svc-api1-example' });
	const editor = await Editor.open(n8n);
	for (const name of chosen.length > 0 ? chosen : await exampleNames()) {
		const { id } = await importExample(n8n, name, credential);
		const picture = await takePicture(editor.page, `${n8n.baseUrl}/workflow/${id}`);
		await writeFile(join(folder, `${basename(name, '.json')}.png`), picture);
		console.log(`${name}: ${Math.ceil(picture.length / 1024)} kB`);
	}
	await editor.close();
} finally {
	await n8n.close();
}
