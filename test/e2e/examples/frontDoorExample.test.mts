import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { type FormAnswers, lastPage } from '../../../harness/form.mts';
import { answerFields } from '../../support/examples/answerFields.mts';
import { Stage } from '../../support/products/stage.mts';

const DAY = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
const asker = 'sales@example.com';
const contract = await bundledContract('mutual-nda.pdf');

const stage = await Stage.ofThisFile();
const { tasks } = stage.sandbox;

/** What the assistant finds out about a request. */
const sorted = (changes: object = {}): string =>
	answerFields('Here.', {
		Kind: 'contract',
		Urgency: 'later',
		Summary: 'Sign an NDA.',
		Missing: ['Who signs for us'],
		...changes,
	});

/** Sends a request. Returns the last page of the form, once the service has answered and the execution is over. */
async function send(questions = 1, answers: FormAnswers = {}): Promise<string> {
	await stage.publish('front-door.json', {
		'"waitBetweenTries":5000': '"waitBetweenTries":0',
		'"waitBetweenTries":3000': '"waitBetweenTries":0',
	});
	const { body } = await stage.submit({
		'Your Email': asker,
		'What Do You Need?': 'Please look at this NDA.',
		Files: [contract],
		...answers,
	});
	const page = await lastPage(body);
	if (questions > 0) await stage.answered(questions);
	await stage.settled(1);
	return page;
}
/** The emails to the legal team and to the colleague. */
const emails = (to: string): string[] =>
	stage.smtp.emails
		.filter((email) => email.to.text === to)
		.map(({ subject, text = '' }) => `${subject}: ${text}`);

test('a request has a number at once, is sorted by kind and urgency, and the colleague reads what is missing; its files are in the mailbox of the legal team', async () => {
	stage.answer('completed', sorted());
	const page = await send();
	const [task] = tasks.ordered();
	const number = task?.display_id ?? '';
	expect(page).toContain(`Your request is ${number}`);
	expect(task).toMatchObject({
		title: 'Request: Please look at this NDA.',
		tags: ['front-door', 'contract'],
		additional_context: expect.stringMatching(/Sign an NDA\.\nMissing: Who signs/) as unknown,
	});
	expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now() + 12 * DAY);
	expect(emails('legal@example.com')).toEqual([
		expect.stringMatching(new RegExp(`^${number}: request of ${asker}: [^]*look at this NDA`)),
	]);
	expect(stage.smtp.emails[0]?.attachments.map(({ filename }) => filename)).toEqual([
		contract.fileName,
	]);
	expect(emails(asker)).toEqual([expect.stringContaining('- Who signs for us')]);
	expect(stage.sandbox.questions).toMatchObject([
		{ visibility: 'private', attachments: [{ fileName: contract.fileName }] },
	]);
});

test.each([
	[
		'privacy',
		sorted({ Kind: 'privacy', Urgency: 'today', Missing: [] }),
		['front-door', 'privacy'],
		1,
	],
	['no kind', sorted({ Kind: 'other' }), ['front-door'], 7],
	['an answer without fields', 'It is an NDA.', ['front-door'], 7],
])(
	'%s: the task has the tag and the day, and the colleague gets the number',
	async (_what, answer, tags, days) => {
		stage.answer('completed', answer);
		await send();
		expect(tasks.ordered()).toMatchObject([{ tags }]);
		expect(Date.parse(tasks.ordered()[0]?.complete_by ?? '')).toBeLessThan(Date.now() + days * DAY);
		expect(emails(asker)).toHaveLength(1);
	},
);

test('the day that the colleague names counts if it comes first', async () => {
	stage.answer('completed', sorted());
	await send(1, { 'Needed By': day(2), Files: [] });
	expect(Date.parse(tasks.ordered()[0]?.complete_by ?? '')).toBeLessThan(Date.now() + 3.5 * DAY);
});

test('an address outside the company gets an error on the page, and nothing is created', async () => {
	const page = await send(0, { 'Your Email': 'someone@example.com.meridian.example' });
	expect(page).toContain('is not an address of our company');
	expect([tasks.ordered(), stage.smtp.emails]).toEqual([[], []]);
});

test.each([
	[
		'the key has expired: the legal team has the request by email',
		false,
		'The legal team has your request',
		1,
	],
	['neither a task nor an email is possible', true, 'did not get through', 0],
])('%s, and the page says so', async (_what, isDown, words, sent) => {
	stage.expireKey();
	stage.smtp.isDown = isDown;
	expect(await send(0)).toContain(words);
	expect(emails('legal@example.com').map((text) => text.startsWith('No task'))).toEqual(
		Array(sent).fill(true),
	);
});

test('no email is possible: the page asks for the files, and the task says that the colleague was not told the number, and what is missing', async () => {
	stage.answer('completed', sorted());
	stage.smtp.isDown = true;
	expect(await send()).toContain('Your files did not get through');
	expect(tasks.ordered()[0]?.additional_context).toMatch(
		/Sign an NDA\.\nMissing: Who signs for us\n\nThe colleague was not told the number by email: ./,
	);
});
