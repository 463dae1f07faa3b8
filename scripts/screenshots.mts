// `node scripts/screenshots.mts`: takes the README's pictures, light and dark, in docs/pictures/: the workflows in comparison.json and
// email.json, the list of actions, the way to a first answer, a Switch on the answer fields of fields.json, and values to pass along.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Locator } from 'playwright-core';

import { type Sandbox, startSandbox } from '../test/sandbox/sandbox.mts';
import { Editor } from '../harness/editor.mts';
import { bundledContract, readWorkflow } from '../harness/examples.mts';
import { type FirstAnswerStep, reachFirstAnswer } from '../harness/firstAnswer.mts';
import { projectFolder } from '../harness/installedPackage.mts';
import { type N8n, startN8n } from '../harness/n8n.mts';
import type { StoredCredential } from '../harness/n8nClient.mts';
import { byHand, chain, legalAi } from '../harness/workflows.mts';
import { takeCanvasPicture, takeStillPicture } from './canvasPicture.mts';

const folder = join(projectFolder, 'docs', 'pictures');
const answer = [
	'Three clauses deviate from the playbook:',
	'1. The confidentiality obligations have no end date.',
	'2. A breach costs a fixed amount.',
	'3. Only one party may get an injunction.',
].join('\n');
const redline = {
	...(await bundledContract('services-agreement.docx')),
	fileName: 'mutual-nda-redline.docx',
};

/** The address of the sandbox, in the field that shows it, becomes one like the reader's own. */
async function showPublicAddress(editor: Editor) {
	await editor
		.parameter('baseUrl')
		.locator('input')
		.evaluate((field: HTMLInputElement) => {
			field.value = 'https://legal-ai.example.com/api/v1';
		});
}

/** How much of a part is shown, if not all of it: from its top, but for those fields that come after the first ones. */
const actionsHeight = 810;
const redlineHeight = 350;
const passAlongHeight = 372;
const fieldsBefore = 592;

/** A picture of the part as it looks once nothing in it moves any more. */
async function takePicture(part: Locator, maxHeight = Infinity, skipped = 0) {
	return await takeStillPicture(part.page(), async () => {
		const box = await part.boundingBox();
		if (box === null) throw new Error('There is nothing to take a picture of');
		const height = Math.min(box.height - skipped, maxHeight);
		return { ...box, y: box.y + skipped, height };
	});
}

/** A workflow beside the pictures: the same result by hand and with Legal AI, or the way from an email to a reply. */
async function showWorkflow(n8n: N8n, editor: Editor, file: string) {
	const { id } = await n8n.createWorkflow(await readWorkflow(join(folder, file)));
	await editor.openWorkflow(id);
	return await takeCanvasPicture(editor.page);
}

const answerWithFields = [
	'The liability of the supplier is too low.',
	'```json',
	'{ "Risk": "high", "Liability Cap": "EUR 1,000,000 or 12 months of fees" }',
	'```',
].join('\n');

/** What a Switch does with the fields of an answer, one of which could not be read. */
async function showFields(
	n8n: N8n,
	editor: Editor,
	sandbox: Sandbox,
	credential: StoredCredential,
) {
	sandbox.settings.answer = () => ({ status: 'completed', answer: answerWithFields, after: 0 });
	const definition = await readWorkflow(join(folder, 'fields.json'), credential);
	const workflow = await n8n.createWorkflow(definition);
	const { id } = await n8n.runToEnd(workflow);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
	await editor.openNode(workflow.id, workflow.nodes.at(-1)?.id ?? '', id);
	return await takePicture(editor.page.locator('body'));
}

/** A question whose answer starts another workflow, with whom to answer. */
async function showPassAlong(n8n: N8n, editor: Editor, credential: StoredCredential) {
	const ask = legalAi('Legal AI', credential, {
		operation: 'ask',
		question: 'May we sign this NDA?',
		callbackTarget: 'workflow',
		callbackWorkflow: 'https://n8n.example.com/workflow/wx7Yk2Lq',
		passAlong: { value: [{ name: 'requester', value: '={{ $json.from }}' }] },
	});
	const { id } = await n8n.createWorkflow(chain('Ask', [byHand, ask]));
	await editor.openNode(id, ask.id);
	return await takePicture(editor.part('node-parameters'), passAlongHeight, fieldsBefore);
}

/** What the Legal AI node can do, in a workflow that has a trigger. */
async function showActions(editor: Editor) {
	await editor.part('ndv-close-button').click();
	await editor.searchNodes('legal');
	const creator = editor.part('node-creator');
	await creator.getByText('Legal AI', { exact: true }).click();
	await creator.getByText('Review contract or ask legal question').waitFor();
	return await takePicture(creator, actionsHeight);
}

await mkdir(folder, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
	const sandbox = await startSandbox();
	const n8n = await startN8n();
	try {
		sandbox.settings.answer = () => ({
			status: 'completed',
			answer,
			attachments: [redline],
			after: Infinity,
		});
		const editor = await Editor.open(n8n);
		await editor.page.emulateMedia({ colorScheme });
		await editor.page.setViewportSize({ width: 1440, height: 1180 });
		const save = async (name: string, picture: Buffer) => {
			await writeFile(join(folder, `${name}-${colorScheme}.png`), picture);
			console.log(`${name}, ${colorScheme}: ${Math.ceil(picture.length / 1024)} kB`);
		};
		const shown = async (step: FirstAnswerStep, part: Locator) => {
			await editor.page.addStyleTag({ content: '.el-notification { display: none !important; }' });
			if (step === 'credential') await showPublicAddress(editor);
			const maxHeight = step === 'redline' ? redlineHeight : Infinity;
			await save(step, await takePicture(part, maxHeight));
		};
		await reachFirstAnswer(editor, sandbox, shown);
		const [credential] = await n8n.credentials();
		if (credential === undefined) throw new Error('There is no credential');
		await save('action', await showActions(editor));
		await save('pass-along', await showPassAlong(n8n, editor, credential));
		await save('fields', await showFields(n8n, editor, sandbox, credential));
		for (const name of ['comparison', 'email'])
			await save(name, await showWorkflow(n8n, editor, `${name}.json`));
		await editor.close();
	} finally {
		await n8n.close();
		await sandbox.close();
	}
}
