import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();
const asker = 'buyer@example.com';
const [nda, agreement] = [
	await bundledContract('mutual-nda.pdf'),
	await bundledContract('services-agreement.docx'),
];

const tryAgainAtOnce = { '"waitBetweenTries":5000': '"waitBetweenTries":0' };

/** An answer whose end has the values of answer fields. */
const withFields = (answer: string, fields: unknown): string =>
	`${answer}\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;

test.each(['dpa-check.json', 'version-changes.json'])(
	'%s: the form asks for a login, and its page says so if an address is none of the company: nothing is asked, and nobody is promised an email',
	async (name) => {
		await stage.publish(name);
		const stranger = { user: 'stranger', password: '' };
		expect((await stage.submit({ 'Your Email': asker }, stranger)).status).toBe(401);
		const { body } = await stage.submit({ 'Your Email': 'someone@example.com.meridian.example' });
		expect(body).toMatch(/Nothing was sent[^]*Your email address has to be one of our company/);
		await stage.settled(1);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);

describe('dpa-check.json', () => {
	const topics = [
		'Documented Instructions',
		'Confidentiality',
		'Security Measures',
		'Subprocessors',
		'Data Subject Requests',
		'Breach Notice',
		'Deletion or Return',
		'Audits',
		'Transfers',
	];
	const checked = (...gaps: readonly string[]): string => {
		const verdicts = topics.map((topic) => [topic, gaps.includes(topic) ? 'deviates' : 'ok']);
		return withFields('Here it is.', {
			...Object.fromEntries(verdicts),
			Gaps: gaps.map((gap) => `${gap}, 4.2: ask for 48 hours`),
		});
	};
	async function send(Vendor: string, file = agreement, from = asker): Promise<void> {
		const { body } = await stage.submit({ 'Your Email': from, Vendor, DPA: [file] });
		expect(body).toContain('Thank you.');
	}

	test.each([
		['follows the playbook', 'completed', checked(), 'follows the playbook', ''],
		[
			'has gaps',
			'completed',
			checked('Breach Notice', 'Audits'),
			'2 of 9 topics deviate',
			'- Breach Notice: deviates\n- Audits: deviates\n- Breach Notice, 4.2: ask for 48 hours',
		],
		[
			'is answered without one of the topics',
			'completed',
			checked().replace('"Transfers":"ok"', '"Transfers":null'),
			'not checked',
			'Not said: Transfers',
		],
		['is declined', 'filtered', 'Not for us.', 'not checked', 'Legal AI: Not for us.'],
		[
			'could not be read',
			'error',
			'The file is damaged.',
			'not checked',
			'Legal AI: The file is damaged.',
		],
	] as const)(
		'a DPA that %s gets a row, a task and an email that allows nothing',
		async (what, status, answer, result, gap) => {
			await stage.publish('dpa-check.json');
			stage.answer(status, answer);
			const row = itemsOf(await stage.done(() => send(what)), 'Record Result')[0]?.json;
			expect(row).toMatchObject({
				vendor: what,
				legal_ai_result: result,
				decision: 'open',
				legal_ai_gaps: expect.stringContaining(gap) as unknown,
			});
			const label =
				result === 'not checked'
					? 'It was not checked: read it yourself.'
					: 'Written by Legal AI. Nobody has checked it yet.';
			const description = expect.stringContaining(
				`${asker} sent services-agreement.docx. ${label}\n\n${gap}`,
			) as unknown;
			const [task, ...others] = stage.sandbox.tasks.ordered();
			expect(task).toMatchObject({
				title: `Decide about the DPA of ${what}: ${result}`,
				description,
			});
			expect(task?.description).toMatch(
				/The file, and the answer: http|Ask buyer@example\.com for/,
			);
			expect([Date.parse(task?.complete_by ?? '') > Date.now(), others]).toEqual([true, []]);
			expect(stage.smtp.emails).toMatchObject([
				{ html: false, text: expect.stringContaining("don't sign it yet") as unknown },
			]);
			expect(stage.sandbox.questions).toMatchObject([
				{ attachments: [{ fileName: 'services-agreement.docx' }] },
			]);
		},
	);

	test('a file that a second colleague sends is asked about once, has one row, and both get an answer; a corrected file of the same name is checked at once', async () => {
		await stage.publish('dpa-check.json');
		stage.answer('completed', checked());
		await stage.done(() => send('Twice'));
		const second = await stage.done(() => send('Twice', agreement, 'second@example.com'));
		expect(itemsOf(second, 'Remove Second Row')).toHaveLength(1);
		expect(stage.sandbox.questions).toHaveLength(1);
		expect(stage.smtp.emails).toMatchObject([
			{ to: { text: asker } },
			{
				to: { text: 'second@example.com' },
				text: expect.stringMatching(/buyer@example\.com\s+sent\s+it/) as unknown,
			},
		]);
		const { json } =
			itemsOf(
				await stage.done(() => send('Twice', { ...nda, fileName: agreement.fileName })),
				'Record Result',
			)[0] ?? {};
		expect([json?.legal_ai_result, stage.sandbox.questions.length]).toEqual([
			'follows the playbook',
			2,
		]);
	});

	test('the key has expired: the row says that nothing was checked, and the privacy team is told by email', async () => {
		await stage.publish('dpa-check.json');
		stage.expireKey();
		const execution = await stage.done(() => send('Expired'));
		expect(itemsOf(execution, 'Record Result')[0]?.json).toMatchObject({
			legal_ai_result: 'not checked',
		});
		expect(stage.smtp.emails[0]?.text).toContain('there is no task for it');
	});

	test('the email fails and the execution is retried: nothing is asked again', async () => {
		await stage.publish('dpa-check.json', tryAgainAtOnce);
		stage.answer('completed', checked());
		stage.smtp.isDown = true;
		const failed = await stage.outcome(() => send('Retried'));
		stage.smtp.isDown = false;
		await stage.retried(failed);
		expect([
			stage.sandbox.questions.length,
			stage.taskTitles().length,
			stage.smtp.emails.length,
		]).toEqual([1, 1, 1]);
	});
});

describe('version-changes.json', () => {
	const marked = {
		'Same Contract': true,
		Changes: ['2.1: "the the" is now "the"'],
		'Unmarked Changes': [],
	};
	const send = async (theirs = agreement): Promise<void> => {
		await stage.submit({
			'Your Email': asker,
			Counterparty: 'Meridian',
			'Our Last Version': [nda],
			'Their New Version': [theirs],
		});
	};

	test.each([
		[
			'only has marked corrections',
			'completed',
			withFields('Here.', marked),
			'Nobody has checked it yet.\n\n- 2.1: "the the" is now "the"',
		],
		[
			'is different although no change was found',
			'completed',
			withFields('Here. Harmless, no lawyer is needed.', { ...marked, Changes: [] }),
			'Compare them yourself.',
		],
		[
			'has a change that is not marked',
			'completed',
			withFields('Here.', { ...marked, 'Unmarked Changes': ['7: no cap'] }),
			'Not marked in their file:\n- 7: no cap',
		],
		[
			'is another contract',
			'completed',
			withFields('Here.', { ...marked, 'Same Contract': false }),
			'These do not seem to be versions of the same contract.',
		],
		[
			'is compared without a word on what is not marked',
			'completed',
			withFields('Here.', { ...marked, 'Unmarked Changes': null }),
			'The comparison is incomplete',
		],
		['is declined', 'filtered', 'Not for us.', 'The versions were not compared: Not for us.'],
	] as const)(
		'a version that %s: the colleague reads so in a plain email that names the files, even if it is refused at first, and a lawyer gets it as a task with a due date',
		async (_what, status, answer, said) => {
			await stage.publish('version-changes.json', tryAgainAtOnce);
			stage.smtp.refused.add(asker);
			stage.answer(status, answer);
			await stage.done(() => send({ ...agreement, fileName: nda.fileName }));
			expect(stage.sandbox.questions).toMatchObject([
				{
					text: expect.stringMatching(
						/first attached file is our last version \(mutual-nda\.pdf\)\. The second one is what they sent back \(mutual-nda\.pdf\)/,
					) as unknown,
					attachments: [{ contentType: nda.contentType }, { contentType: agreement.contentType }],
				},
			]);
			const [task, ...others] = stage.sandbox.tasks.ordered();
			expect([task?.title, others]).toEqual([
				'Look at the changes of Meridian for buyer@example.com',
				[],
			]);
			expect(task?.description).toContain(said);
			expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
			expect(stage.smtp.emails).toMatchObject([{ to: { text: asker }, html: false }]);
			expect(stage.smtp.emails[0]?.text).toMatch(
				/^Our last version: mutual-nda\.pdf\nTheir new version: mutual-nda\.pdf\n\n/,
			);
			for (const part of [said, `Please don't sign it yet. A lawyer will look at it: LEGAL-`])
				expect(stage.smtp.emails[0]?.text).toContain(part);
		},
	);

	test('a file that is the same, byte for byte, costs no question: the colleague is told that nothing changed', async () => {
		await stage.publish('version-changes.json', tryAgainAtOnce);
		stage.smtp.refused.add(asker);
		await stage.done(() => send(nda));
		expect([stage.sandbox.questions, stage.taskTitles()]).toEqual([[], []]);
		expect(stage.smtp.emails).toMatchObject([
			{ text: expect.stringMatching(/^Nothing changed: both files are the same/) as unknown },
		]);
	});

	test('the key has expired: the email goes to the legal team, too, and says that there is no task', async () => {
		await stage.publish('version-changes.json');
		stage.expireKey();
		await stage.done(send);
		expect(stage.smtp.emails).toMatchObject([
			{
				cc: { text: 'legal-team@example.com' },
				text: expect.stringContaining('there is no task for it') as unknown,
			},
		]);
	});
});
