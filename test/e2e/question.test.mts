import { createHash } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import { answersWhenTold } from '../scenarios/stage.mts';
import { bundledContract } from '../../harness/examples.mts';
import { readItems } from '../../harness/executions.mts';
import { toWebFile } from '../../harness/form.mts';
import type { N8nClient } from '../../harness/n8nClient.mts';
import { legalAi, node, questions } from '../../harness/workflows.mts';
import { test } from '../support/n8n/fixtures.mts';
import { after, askAndWait, completeAll, start } from '../support/n8n/parkedQuestions.mts';

test.override({ serviceOptions: { answer: answersWhenTold } });

/** Publishes a workflow that asks, calls its webhook, and waits until the execution is parked. */
async function park(n8n: N8nClient, path: string, nodes: INode[], body?: BodyInit) {
	const parked = await start(n8n, path, nodes, { body });
	expect(parked).toMatchObject({ status: 'waiting', failure: undefined });
	return parked;
}

test('a question is asked, and its callback brings the answer', async ({
	n8n,
	service,
	credential,
}) => {
	const parked = await park(n8n, 'called-back', [questions(2), askAndWait(credential), after]);
	await completeAll(service);
	expect(service.callbacks.map(({ status }) => status)).toEqual([200, 200]);
	const over = await n8n.waitForExecution(parked.id);
	expect(readItems(over, 'After').map(({ json, pairedItem }) => [json.answer, pairedItem])).toEqual(
		[
			['Answer to Question 0', { item: 0 }],
			['Answer to Question 1', { item: 1 }],
		],
	);
	expect(over.runs.Ask).toHaveLength(1);
});

test('a contract goes to the service with a question, and a file of the answer comes back', async ({
	n8n,
	service,
	credential,
}) => {
	const contract = await bundledContract('mutual-nda.pdf');
	const form = new FormData();
	form.set('contract', toWebFile(contract));
	const redline = {
		fileName: 'Redline.md',
		contentType: 'text/markdown',
		content: Buffer.from('# Redline'),
	};
	service.settings.answer = () => ({
		status: 'completed',
		answer: 'Redlined.',
		attachments: [redline],
		after: Infinity,
	});
	const upload = legalAi('Upload', credential, {
		resource: 'file',
		operation: 'upload',
		binaryPropertyName: 'contract',
	});
	const attachment = [{ source: 'uploadJob', uploadJobId: '={{ $json.job_id }}' }];
	const ask = askAndWait(credential, { question: 'Redline this.', attachments: { attachment } });
	const download = legalAi('Download', credential, {
		resource: 'file',
		operation: 'download',
		url: '={{ $json.attachments[0].url }}',
	});
	const parked = await park(n8n, 'contract', [upload, ask, download], form);

	const sha256 = createHash('sha256').update(contract.content).digest('hex');
	expect(service.questions.map(({ attachments }) => attachments)).toMatchObject([
		[{ fileName: contract.fileName, sha256 }],
	]);
	await completeAll(service);
	const over = await n8n.waitForExecution(parked.id);
	const file = readItems(over, 'Download')[0]?.binary?.data;
	expect(file).toMatchObject({ fileName: 'Redline.md', mimeType: 'text/markdown' });
	expect(file && (await n8n.binary(file)).toString()).toBe('# Redline');
});

test('Extract From File gives the text that quotes are checked against and keeps the contract, and Split Out takes apart a table with a dot in its name', async ({
	n8n,
	service,
	credential,
}) => {
	const contract = await bundledContract('mutual-nda.pdf');
	const form = new FormData();
	form.set('contract', toWebFile(contract));
	const fields = {
		'Art. 28': [{ Duty: 'Keep it secret' }, { Duty: 'Give it back' }],
		Found: 'is entered into as of 2 March 2026',
		'Made Up': 'The receiving party may sell all of it',
	};
	const answer = `As follows.\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;
	service.settings.answer = () => ({ status: 'completed', answer, after: 0 });
	const extract = node('Extract From File', 'n8n-nodes-base.extractFromFile', {
		operation: 'pdf',
		binaryPropertyName: 'contract',
		options: { keepSource: 'both' },
	});
	const ask = askAndWait(credential, {
		question: 'What are our duties?',
		attachments: { attachment: [{ source: 'allBinary' }] },
		answerFields: {
			field: [
				{ name: 'Art. 28', type: 'table', columns: { column: [{ name: 'Duty' }] } },
				{ name: 'Found', type: 'quote' },
				{ name: 'Made Up', type: 'quote' },
			],
		},
		options: { waitUsing: 'sync', checkQuotes: '={{ $json.text }}' },
	});
	const split = node('Split Out', 'n8n-nodes-base.splitOut', {
		fieldToSplitOut: 'fields["Art. 28"]',
		options: {},
	});
	const { id } = await start(n8n, 'extracted', [extract, ask, split], { body: form });
	const over = await n8n.waitForExecution(id);

	expect(service.questions[0]?.attachments).toMatchObject([{ fileName: contract.fileName }]);
	expect(readItems(over, 'Ask')[0]?.json).toMatchObject({
		fields: { ...fields, 'Made Up': null },
		unread_fields: { 'Made Up': fields['Made Up'] },
	});
	expect(readItems(over, 'Split Out').map(({ json }) => json)).toEqual(fields['Art. 28']);
});
