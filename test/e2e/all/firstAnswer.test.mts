import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Editor } from '../../../harness/editor.mts';
import { firstAnswerSteps, reachFirstAnswer } from '../../../harness/firstAnswer.mts';
import { type N8n, startN8n } from '../../../harness/n8n.mts';

let n8n: N8n;
let sandbox: Sandbox;
let editor: Editor;
beforeAll(async () => {
	n8n = await startN8n();
	sandbox = await startSandbox();
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'None.', after: Infinity });
	editor = await Editor.open(n8n);
});
afterAll(async () => {
	await editor.close();
	await sandbox.close();
	await n8n.close();
});

test('a new user gets from an empty workflow to the review of a contract with 15 clicks and 6 entries', async () => {
	const steps: string[] = [];
	const effort = await reachFirstAnswer(editor, sandbox, async (step) => {
		steps.push(step);
		await Promise.resolve();
	});
	expect(steps).toEqual(firstAnswerSteps);
	expect(effort).toEqual({ clicks: 15, entries: 6 });
	const [question] = sandbox.questions;
	expect(question?.text).toMatch(/^Review this NDA\n\nUse the playbook "Mutual NDA"/);
	expect(question?.attachments).toMatchObject([{ fileName: 'mutual-nda.pdf' }]);
});
