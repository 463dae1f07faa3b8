import { randomUUID } from 'node:crypto';

import { bundledContract } from '../../../harness/examples.mts';
import { node, webhook } from '../../../harness/workflows.mts';
import { answerWith, tryExample } from '../../support/examples/driver.mts';
import { readBeginning, describeOutcome } from '../../support/examples/outcomes.mts';
import { test } from '../../support/products/fixtures.mts';
import { reportAsSlack } from '../../support/products/slack.mts';
import type { Stage } from '../../support/products/stage.mts';

const contract = await bundledContract('mutual-nda.pdf');
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const writeSource = (name: string) =>
	`From: ${name}@vendor.example
To: legal@example.com
Subject: ${name}
Message-ID: <${name}@vendor.example>
Date: ${new Date().toUTCString()}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="part"

--part
Content-Type: text/plain

May we sign?
--part
Content-Type: application/pdf; name="${name}.pdf"
Content-Disposition: attachment; filename="${name}.pdf"
Content-Transfer-Encoding: base64

${contract.content.toString('base64')}
--part--`.replaceAll('\n', '\r\n');

await tryExample({
	example: 'gmail-drafts',
	receive: ({ products: { google } }, names) => {
		for (const id of names) {
			// With an older email of the conversation, which has the label, too.
			for (const each of [id, `${id}-old`])
				google.emails.push({
					id: each,
					threadId: id,
					source: writeSource(id),
					labels: new Set(['LEGAL_REVIEW']),
				});
		}
	},
	start: (stage) => stage.startBy('Every 5 Minutes'),
	file: 'redline.docx',
	answered: ['draft, Hello,, redline.docx', 'open, Written by AI'],
	unanswered: ['open, There is no draft'],
	broken: {
		'Get Labeled Emails': 'stops',
		'Open Task': 'stops',
		'Remove Label': 'stops',
		'Get Email': ['open, There is no draft'],
		'Redline NDA': ['open, There is no draft'],
		'Draft Reply': ['open, There is no draft'],
		'Add Draft to Task': 'stops',
	},
});

/** What the rows of a contract in the register say of it. */
const findRows = ({ products }: Stage, name: string) =>
	products.google.sheet
		.filter(([id]) => id === name)
		.map((cells) =>
			cells
				.slice(2)
				.filter(Boolean)
				.join(', ')
				.replace(/LEGAL-\d+/, '#'),
		);
const headings = [
	'file_id',
	'file',
	'parties',
	'ends_on',
	'renewal',
	'risk',
	'problem',
	'reminded',
];
const read = {
	parties: 'Ada and Ben',
	ends_on: '2027-03-31',
	renewal: 'None',
	risk: 'low',
	duties: [{ duty: 'Report', due: '2027-01-31', words: 'shall report every year' }],
};

await tryExample({
	example: 'contract-backlog',
	receive: ({ products: { google } }, names) => {
		google.sheet.push([...headings], ['known', 'known.pdf']);
		for (const id of ['known', ...names])
			google.files.push({ ...contract, id, fileName: `${id}.pdf` });
	},
	start: (stage) => stage.startBy('Every Day'),
	answer: answerWith(read),
	outcome: (stage, name) => [...findRows(stage, name), ...describeOutcome(stage, name)],
	answered: ['Ada and Ben, 2027-03-31, None, low', 'open'],
	unanswered: ['#', 'open'],
	broken: {
		'List Folder': 'stops',
		'Get Register': 'stops',
		'Download Contract': ['#', 'open'],
		'Read Contract': ['#', 'open'],
		'Draft Tasks': 'stops',
		'Add to Register': 'stops',
	},
});

await tryExample({
	example: 'renewal-reminders',
	receive: ({ products: { google } }, names) => {
		google.sheet.push([...headings]);
		for (const [id, days] of [...names.map((name) => [name, 60] as const), ['late', 200] as const])
			google.sheet.push([id, `${id}.pdf`, 'Ada', inDays(days).slice(0, 10), 'None', 'low', '', '']);
	},
	start: (stage) => stage.startBy('Every Day'),
	outcome: (stage, name) => [
		...stage.products.google.sheet
			.filter(([id]) => id === name)
			.map((cells) => readBeginning(cells[7] ?? '', name)),
		...describeOutcome(stage, name),
	],
	answered: ['#', '#', 'open'],
	broken: {
		'Read Register': 'stops',
		'Create Task': 'stops',
		'Mark as Reminded': 'stops',
		'Post Reminder': 'stops',
	},
});

let thread = '';
const mention = (stage: Stage, more: object = {}) =>
	reportAsSlack(`${stage.findWebhook('Message Comes In')}/webhook`, {
		type: 'app_mention',
		text: 'May we name Ada?',
		channel: 'C1',
		ts: thread,
		...more,
	});

await tryExample({
	example: 'ask-in-slack',
	items: ['May we name Ada?'],
	receive: () => {
		thread = `${Date.now()}.0`;
	},
	start: mention,
	outcome: (stage, name) => describeOutcome(stage, name, thread),
	answered: ['AI wrote this'],
	unanswered: ['A lawyer will answer (#)', 'open'],
	broken: { 'Ask Legal': ['A lawyer will answer (#)', 'open'], 'Reply in Thread': 'stops' },
	second: {
		start: (stage) => mention(stage, { thread_ts: thread, ts: '2.0' }),
		steps: [],
		outcome: ({ service }) => service.questions.map(({ followUp }) => followUp),
		expected: [false, true],
	},
});

await tryExample({
	example: 'questionnaire',
	receive: ({ products: { google } }, names) => {
		google.sheet.push(['number', 'question', 'draft', 'status']);
		for (const [index, name] of names.entries())
			google.sheet.push([String(index + 1), `Do you have the ${name}?`, '', '']);
	},
	start: (stage) => stage.startBy('Every Hour'),
	outcome: ({ products: { google } }, name) =>
		google.sheet
			.filter(([, question]) => question?.includes(name))
			.map(([, , draft, status = '']) => [
				status.replace(/error|filtered/, 'no answer'),
				draft === '' ? 'no words' : 'words',
			]),
	answered: [['completed', 'words']],
	unanswered: [['no answer', 'words']],
	broken: {
		'Get Rows': 'stops',
		'Mark as Asked': 'stops',
		Ask: [['not asked', 'words']],
		'Write Answer': 'stops',
	},
});

await tryExample({
	example: 'jira-contracts',
	items: ['REQ-7'],
	start: ({ products }) => products.jira.create('REQ-7', contract),
	answered: ['The legal team has your request', 'open, Written by AI'],
	unanswered: ['The legal team has your request', 'open, There is no usable review'],
	broken: {
		'Open Task': 'stops',
		'Tell the Customer': ['open, Written by AI'],
		'Get Attachments': ['The legal team has your request', 'open, There is no usable review'],
		'Review Contract': ['The legal team has your request', 'open, There is no usable review'],
		'Add Review to Task': 'stops',
		'Resolve Request': 'stops',
	},
	second: {
		start: async (stage) => {
			stage.completeTasks();
			await stage.startBy('Task Is Completed');
		},
		steps: ['Resolve Request'],
		outcome: ({ products }) => products.jira.requests.get('REQ-7')?.status,
		expected: 'STATUS_RESOLVED',
	},
});

await tryExample({
	example: 'task-digest',
	receive: ({ service }, names) => {
		service.tasks.create({ title: 'not late', complete_by: inDays(1) });
		for (const title of names) service.tasks.create({ title, complete_by: inDays(-3) });
		service.tasks.create({ title: 'done', complete_by: inDays(1), status: 'completed' });
	},
	start: (stage) => stage.startBy('Every Weekday'),
	outcome: ({ smtp }, name) =>
		smtp.emails.flatMap(({ subject, text }) =>
			text?.includes(name) ? [subject, text.replace(/ \([^]*/, '')] : [],
		),
	answered: ['Legal tasks late or due soon: 4', '- due 3 days ago'],
	broken: {
		'Get Tasks': 'stops',
		'Email Team': 'stops',
		'Get All Tasks': 'stops',
		'Email Head of Legal': 'stops',
	},
	second: {
		start: (stage) => stage.startBy('Every Monday'),
		steps: ['Get All Tasks', 'Email Head of Legal'],
		outcome: (stage) => describeOutcome(stage, 'no task', 'head-of-legal@example.com'),
		expected: ['The attached table says how many tasks have which status, legal-tasks.xlsx'],
	},
});

await tryExample({
	example: 'error-workflow',
	items: ['A workflow that fails'],
	start: async (stage) => {
		const fail = node('Fail', 'n8n-nodes-base.stopAndError', { errorMessage: 'No.' });
		const path = randomUUID();
		const start = webhook(path);
		await stage.n8n.publish({
			name: 'A workflow that fails',
			nodes: [start, fail],
			connections: { [start.name]: { main: [[{ node: 'Fail', type: 'main', index: 0 }]] } },
			settings: { errorWorkflow: stage.workflow.id },
		});
		await stage.n8n.callWebhook(path);
	},
	answered: ['Fail stopped', 'open'],
	broken: { 'Email Owner': ['open'], 'Create Task': ['Fail stopped'] },
});

test('the stand-ins have no route that none of these examples has called', ({ products }) => {
	expect([...products.uncalled].filter((route) => !route.includes('graph.microsoft.com'))).toEqual(
		[],
	);
});
