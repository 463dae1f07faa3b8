// `node scripts/screenshots.mts`: takes the README's pictures of the way to a first answer, light and dark, in docs/pictures/.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import { startSandbox } from '../test/sandbox/sandbox.mts';
import { Editor } from '../harness/editor.mts';
import { type FirstAnswerStep, reachFirstAnswer } from '../harness/firstAnswer.mts';
import { projectFolder } from '../harness/installedPackage.mts';
import { startN8n } from '../harness/n8n.mts';

const folder = join(projectFolder, 'docs', 'pictures');
const answer = [
	'Three clauses deviate from the playbook:',
	'1. The confidentiality obligations have no end date.',
	'2. A breach costs a fixed amount.',
	'3. Only one party may get an injunction.',
].join('\n');
const redline = {
	fileName: 'mutual-nda-redline.docx',
	contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	content: Buffer.from('A redline'),
};

/** The address of the sandbox, in the field that shows it, becomes one like the reader's own. */
async function showPublicAddress(editor: Editor): Promise<void> {
	await editor.parameter('baseUrl').locator('input').evaluate((field: HTMLInputElement) => {
		field.value = 'https://legal-ai.example.com/api/v1';
	});
}

/** How much of a part is shown, from its top, if not all of it. */
const shownHeight: Partial<Record<FirstAnswerStep, number>> = { action: 628 };

/** A picture of the part as it looks once nothing in it moves any more. */
async function takePicture(part: Locator, maxHeight = Infinity): Promise<Buffer> {
	const page = part.page();
	let before = Buffer.alloc(0);
	for (;;) {
		const box = await part.boundingBox();
		if (box === null) throw new Error('There is nothing to take a picture of');
		const clip = { ...box, height: Math.min(box.height, maxHeight) };
		const now = await page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
		if (now.equals(before)) return now;
		before = now;
		await page.waitForTimeout(300);
	}
}

await mkdir(folder, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
	const sandbox = await startSandbox();
	const n8n = await startN8n();
	try {
		sandbox.settings.answer = () => ({ status: 'completed', answer, attachments: [redline], after: Infinity });
		const editor = await Editor.open(n8n);
		await editor.page.emulateMedia({ colorScheme });
		await editor.page.setViewportSize({ width: 1440, height: 1180 });
		const save = async (step: FirstAnswerStep, part: Locator): Promise<void> => {
			await editor.page.addStyleTag({ content: '.el-notification { display: none !important; }' });
			if (step === 'credential') await showPublicAddress(editor);
			const picture = await takePicture(part, shownHeight[step]);
			await writeFile(join(folder, `${step}-${colorScheme}.png`), picture);
			console.log(`${step}, ${colorScheme}: ${Math.ceil(picture.length / 1024)} kB`);
		};
		await reachFirstAnswer(editor, sandbox, save);
		await editor.close();
	} finally {
		await n8n.close();
		await sandbox.close();
	}
}
