import { bundledContract } from '../../../harness/examples.mts';
import { type FormAnswers, lastPage } from '../../../harness/form.mts';
import { answerText, answerWith, tryExample } from '../../support/examples/driver.mts';
import { describeOutcome } from '../../support/examples/outcomes.mts';
import { test } from '../../support/products/fixtures.mts';
import type { Stage } from '../../support/products/stage.mts';

const contract = await bundledContract('mutual-nda.pdf');
const colleague = 'colleague@example.com';

/** What a colleague who has sent a form gets. */
const told = (stage: Stage, name: string) => describeOutcome(stage, name, colleague);
/** Examples that begin with a form take one item. */
const byForm = (item: string, answers: FormAnswers) => ({
	items: [item],
	start: (stage: Stage) => stage.submit({ 'Your Email': colleague, ...answers }),
	outcome: told,
});

await tryExample({
	example: 'outlook-mailbox',
	receive: ({ products: { microsoft } }, names) => {
		microsoft.receive('on its way', names, contract);
	},
	start: async (stage) => {
		const { microsoft } = stage.products;
		await stage.listenAnew(() => {
			microsoft.moveAll('inbox');
		});
		// The trigger has seen them: it asks for what is newer.
		microsoft.moveAll('seen');
	},
	answer: answerWith({ asks: true }),
	answered: ['AI wrote this answer', 'completed'],
	unanswered: ['A person of the legal team will answer (#)', 'open'],
	otherAnswers: {
		'nobody gets a reply to an email that asks nothing': [
			answerWith({ asks: false }),
			['open, No reply has gone out'],
		],
	},
	broken: {
		'Get Email': ['open'],
		'Open Task': 'stops',
		'Review Contract': ['A person of the legal team will answer (#)', 'open'],
		Reply: ['open, No reply has gone out'],
		'Complete Task': 'stops',
	},
});

await tryExample({
	example: 'outlook-redline',
	receive: ({ products: { microsoft } }, names) => {
		microsoft.receive('FOLDER_TO_REDLINE', names, contract);
	},
	start: (stage) => stage.startBy('Every 5 Minutes'),
	file: 'redline.docx',
	answered: ['draft, Hello,, redline.docx', 'open, Written by AI'],
	unanswered: ['open, There is no finished draft'],
	broken: {
		'Get Emails': 'stops',
		'Open Task': 'stops',
		'Move Email': 'stops',
		'Get Email': ['open, There is no finished draft'],
		'Redline Contract': ['open, There is no finished draft'],
		'Draft Reply': ['open, There is no finished draft'],
		'Add Draft to Task': 'stops',
	},
});

const howToDecide = 'Write your decision into the description, then complete this task';

await tryExample({
	example: 'sharepoint-teams',
	receive: ({ products: { microsoft } }, names) => {
		for (const id of names) microsoft.folder.push({ ...contract, id, fileName: `${id}.pdf` });
	},
	start: (stage) => stage.startBy('New File'),
	answered: ['# needs a decision', `open, ${howToDecide}`],
	unanswered: ['# needs a decision', 'open, There is no usable review'],
	broken: {
		'Open Task': 'stops',
		'Download Contract': ['# needs a decision', 'open, There is no usable review'],
		'Review Contract': ['# needs a decision', 'open, There is no usable review'],
		'Add Review to Task': 'stops',
		'Tell Lawyers': 'stops',
		'Post Decision': 'stops',
	},
	second: {
		start: async (stage) => {
			stage.completeTasks('Sign it.');
			await stage.startBy('Lawyer Has Decided');
		},
		steps: ['Post Decision'],
		outcome: ({ written }) => written.filter(({ text }) => text.includes('Sign it.')).length,
		expected: 1,
	},
});

let submitted = '';
let page = '';
await tryExample({
	example: 'intake',
	...byForm('the NDA', {}),
	start: async (stage) => {
		page = '';
		submitted = await stage.submit({
			'Your Email': colleague,
			Subject: 'the NDA',
			Message: 'May we sign it?',
			Attachments: [contract],
		});
	},
	decide: async () => {
		if (page === '') page = await lastPage(submitted);
	},
	answer: `${answerText}\n\nThe cap is < 12 months of fees.`,
	outcome: (stage, name) => [
		...[...page.matchAll(/<h1>(.*)<\/h1>|(&lt; 12)/g)].map(
			([, title, escaped]) => title ?? escaped,
		),
		...describeOutcome(stage, name),
	],
	page: () => page,
	answered: ['The answer', '&lt; 12'],
	unanswered: ['A lawyer will answer', 'open'],
	broken: { 'Review Contract': ['A lawyer will answer', 'open'] },
});

await tryExample({
	example: 'front-door',
	...byForm('resale', { Subject: 'resale in Norway', 'What Do You Need?': 'A contract.' }),
	answer: answerWith({ kind: 'contract', due: '2027-01-15' }),
	outcome: (stage, name) => [
		...told(stage, name),
		...stage.service.tasks.ordered().map(({ tags }) => tags.join(', ')),
	],
	answered: ['The legal team has your request', 'open', 'front-door, contract'],
	unanswered: ['The legal team has your request', 'open', 'front-door'],
	broken: {
		'Open Task': 'stops',
		'Sort Request': ['The legal team has your request', 'open', 'front-door'],
		'Update Task': 'stops',
		'Confirm by Email': 'stops',
	},
});

await tryExample({
	example: 'draft-request',
	...byForm('Meridian', { Template: 'Consultancy Agreement', 'Other Party': 'Meridian' }),
	decide: (stage) => {
		stage.completeTasks();
	},
	file: 'nda.docx',
	answered: [
		'A lawyer has approved the attached document as it is, nda.docx',
		'completed, The draft, written by AI',
	],
	unanswered: ['There is no approved document yet', 'open, There is no draft'],
	broken: {
		'Open Task': 'stops',
		'Draft from Template': ['There is no approved document yet', 'open, There is no draft'],
		'Add Draft to Task': 'stops',
		'Wait for Approval': ['There is no approved document yet', 'open, The draft, written by AI'],
		'Email Document': 'stops',
	},
});

await tryExample({
	example: 'nda-triage',
	...byForm('Meridian', { Counterparty: 'Meridian', NDA: [contract] }),
	decide: (stage) => {
		const isHigh = stage.service.tasks.ordered().some(({ title }) => title.startsWith('high'));
		stage.completeTasks(isHigh ? undefined : 'Sign it once liability has a cap.');
	},
	answer: answerWith({ risk: 'low' }),
	answered: ['Sign it once liability has a cap', `completed, ${howToDecide}`],
	unanswered: [
		'Sign it once liability has a cap',
		'completed, The assistant gave no usable review',
	],
	otherAnswers: {
		'a task that is completed without a decision tells the colleague so': [
			answerWith({ risk: 'high' }),
			['No decision was written', `completed, ${howToDecide}`],
		],
	},
	broken: {
		'Open Task': 'stops',
		'Review NDA': [
			'Sign it once liability has a cap',
			'completed, The assistant gave no usable review',
		],
		'Add Review to Task': 'stops',
		'Wait for Decision': ['The legal team has not decided', `open, ${howToDecide}`],
		'Email Decision': 'stops',
	},
});

await tryExample({
	example: 'version-changes',
	...byForm('Meridian', {
		Counterparty: 'Meridian',
		'Our Last Version': [contract],
		'Their New Version': [contract],
	}),
	answer: answerWith({
		changes: [
			{ Clause: '3', 'Our Version': '5 days', 'Their Version': '1 day', Importance: 'high' },
		],
	}),
	answered: ['AI made the attached table, changes.xlsx', 'completed'],
	unanswered: ['The assistant could not compare the versions', 'open'],
	broken: {
		'Open Task': 'stops',
		'Compare Versions': ['The assistant could not compare the versions', 'open'],
		'Email Changes': 'stops',
		'Complete Task': 'stops',
	},
});

await tryExample({
	example: 'dpa-check',
	...byForm('Meridian', { Vendor: 'Meridian', DPA: [contract] }),
	answer: answerWith({ result: 'follows our playbook' }),
	answered: [
		'This agreement follows our playbook, says AI',
		'completed, AI says that it follows our playbook',
	],
	unanswered: ['The assistant could not check it', 'open, The assistant could not check it'],
	otherAnswers: {
		'the task of an agreement that deviates stays open': [
			answerWith({ result: 'deviates from our playbook', gaps: ['3.2: audits'] }),
			[
				'This agreement deviates from our playbook, says AI',
				'open, AI says that it deviates from our playbook',
			],
		],
	},
	broken: {
		'Open Task': 'stops',
		'Check DPA': ['The assistant could not check it', 'open, The assistant could not check it'],
		'Add Result to Task': 'stops',
		'Email Result': 'stops',
		'Complete Task': 'stops',
	},
});

test('the stand-ins have no route that none of these examples has called', ({ products }) => {
	expect([...products.uncalled].filter((route) => route.includes('graph.microsoft.com'))).toEqual(
		[],
	);
});
