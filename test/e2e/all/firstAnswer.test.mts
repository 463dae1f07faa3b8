import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Editor } from '../../../harness/editor.mts';
import { firstAnswerSteps, isAskedForAnotherFile, reachFirstAnswer } from '../../../harness/firstAnswer.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';

let n8n: N8n;
let sandbox: Sandbox;
let editor: Editor;
beforeAll(async () => {
	n8n = await startN8n();
	sandbox = await startSandbox();
	const attachments = [{ fileName: 'mutual-nda-redline.docx', contentType: 'application/octet-stream', content: Buffer.from('A redline') }];
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'None.', attachments, after: Infinity });
	editor = await Editor.open(n8n);
});
afterAll(async () => {
	await editor.close();
	await sandbox.close();
	await n8n.close();
});

test('a new user gets from an empty n8n to the redline of a contract with 13 clicks and 4 entries, as the browser counts them', async () => {
	const steps: string[] = [];
	const effort = await reachFirstAnswer(editor, sandbox, async (step) => {
		steps.push(step);
		await Promise.resolve();
	});
	expect(steps).toEqual(firstAnswerSteps);
	expect(effort).toEqual({ clicks: 13, entries: 4 });
	const [question] = sandbox.questions;
	expect(question?.text).toMatch(/^Redline this NDA against the playbook\n\nUse the playbook "Mutual NDA"/);
	expect(question?.attachments).toMatchObject([{ fileName: 'mutual-nda.pdf' }]);
	expect(await isAskedForAnotherFile(editor)).toBe(true);
});
