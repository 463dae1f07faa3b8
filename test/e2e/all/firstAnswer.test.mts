import { afterAll, beforeAll, expect, test } from 'vitest';

import { startSandbox, type Sandbox } from '../../sandbox/sandbox.mts';
import { Editor } from '../../support/n8n/editor.mts';
import { firstAnswerSteps, reachFirstAnswer } from '../../support/n8n/firstAnswer.mts';
import { type N8n, startN8n } from '../../support/n8n/n8n.mts';
import { isN8n1, n8nVersion } from '../../support/n8n/versions.mts';

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

// In n8n 1, the list of credentials has to be opened, and the dialog of the credential closed.
const clicks = isN8n1(n8nVersion) ? 9 : 7;

test(`a new user gets from an empty workflow to a first answer with ${clicks} clicks and 5 entries`, async () => {
	const steps: string[] = [];
	const effort = await reachFirstAnswer(editor, sandbox, async (step) => {
		steps.push(step);
		await Promise.resolve();
	});
	expect(steps).toEqual(firstAnswerSteps);
	expect(effort).toEqual({ clicks, entries: 5 });
	expect(sandbox.questions).toMatchObject([{ text: 'Which terms are unusual for a mutual NDA?', status: 'completed' }]);
});
