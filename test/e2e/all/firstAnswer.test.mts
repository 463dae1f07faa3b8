import { reachFirstAnswer } from '../../../harness/firstAnswer.mts';
import { testWithOwnN8n as test } from '../../support/n8n/fixtures.mts';

const attachments = [
	{
		fileName: 'mutual-nda-redline.docx',
		contentType: 'application/octet-stream',
		content: Buffer.from('A redline'),
	},
];
test.override({
	n8nSettings: { N8N_DISABLE_UI: undefined },
	serviceOptions: {
		answer: () => ({ status: 'completed', answer: 'None.', attachments, after: Infinity }),
	},
});

test('a new user gets from an empty n8n to the redline of a contract as the README says, and can ask about another file', async ({
	editor,
	service,
}) => {
	await reachFirstAnswer(editor, service);
	const [question] = service.questions;
	expect(question?.text).toMatch(
		/^Redline this NDA against the playbook\n\nUse the playbook "Mutual NDA"/,
	);
	expect(question?.attachments).toMatchObject([{ fileName: 'mutual-nda.pdf' }]);

	await editor.part('ndv-close-button').click();
	const opened = editor.page.context().waitForEvent('page');
	await editor.part('execute-workflow-button').click();
	await (await opened).locator('input[type=file]').waitFor();
});
