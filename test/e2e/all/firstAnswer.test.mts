import { Editor } from '../../../harness/editor.mts';
import { reachFirstAnswer } from '../../../harness/firstAnswer.mts';
import { n8nOfThisFile } from '../../support/n8n/service.mts';
import { sandboxForTests } from '../../support/sandboxForTests.mts';

const n8n = await n8nOfThisFile({ N8N_DISABLE_UI: undefined });
const attachments = [
	{
		fileName: 'mutual-nda-redline.docx',
		contentType: 'application/octet-stream',
		content: Buffer.from('A redline'),
	},
];
const sandbox = await sandboxForTests({
	answer: () => ({ status: 'completed', answer: 'None.', attachments, after: Infinity }),
});
const editor = await Editor.open(n8n);
afterAll(() => editor.close());

test('a new user gets from an empty n8n to the redline of a contract as the README says, and can ask about another file', async () => {
	await reachFirstAnswer(editor, sandbox);
	const [question] = sandbox.questions;
	expect(question?.text).toMatch(
		/^Redline this NDA against the playbook\n\nUse the playbook "Mutual NDA"/,
	);
	expect(question?.attachments).toMatchObject([{ fileName: 'mutual-nda.pdf' }]);

	await editor.part('ndv-close-button').click();
	const opened = editor.page.context().waitForEvent('page');
	await editor.part('execute-workflow-button').click();
	await (await opened).locator('input[type=file]').waitFor();
});
