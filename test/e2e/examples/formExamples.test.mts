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

/** An answer whose end has the values of answer fields. */
const withFields = (answer: string, fields: unknown): string =>
	`${answer}\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;

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
	async function send(Vendor: string, file = agreement): Promise<void> {
		await stage.submit({ 'Your Email': asker, Vendor, DPA: [file] });
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
		[
			'is answered with a verdict that is none',
			'completed',
			checked().replace('"Audits":"ok"', '"Audits":"fine"'),
			'not checked',
			'Not said: Audits',
		],
		[
			'is not answered as asked',
			'completed',
			'It looks fine.',
			'not checked',
			'Not said: Documented Instructions, ',
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
			expect(stage.sandbox.tasks.ordered()).toMatchObject([
				{ title: `Decide about the DPA of ${what}: ${result}`, description },
			]);
			expect(stage.smtp.emails).toMatchObject([
				{ html: false, text: expect.stringContaining("don't sign it yet") as unknown },
			]);
			expect(stage.sandbox.questions).toMatchObject([
				{ attachments: [{ fileName: 'services-agreement.docx' }] },
			]);
		},
	);

	test('a form that is sent twice is asked about once, and has one row; a corrected file of the same name is checked at once', async () => {
		await stage.publish('dpa-check.json');
		stage.answer('completed', checked());
		await stage.done(() => send('Twice'));
		expect(itemsOf(await stage.done(() => send('Twice')), 'Remove Second Row')).toHaveLength(1);
		expect([stage.sandbox.questions.length, stage.smtp.emails.length]).toEqual([1, 1]);
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
		await stage.publish('dpa-check.json');
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
	const harmless = {
		'Same Contract': true,
		Changes: ['2.1: "the the" is now "the"'],
		'Unmarked Changes': [],
		'Lawyer Needed': false,
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
			withFields('Here.', harmless),
			'- 2.1: "the the" is now "the"',
			false,
		],
		[
			'has no changes',
			'completed',
			withFields('Here.', { ...harmless, Changes: [] }),
			'Nothing changed.',
			false,
		],
		[
			'needs a lawyer',
			'completed',
			withFields('Here.', { ...harmless, 'Lawyer Needed': true }),
			'- 2.1: "the the" is now "the"',
			true,
		],
		[
			'has a change that is not marked',
			'completed',
			withFields('Here.', { ...harmless, 'Unmarked Changes': ['7: no cap'] }),
			'Not marked in their file:\n- 7: no cap',
			true,
		],
		[
			'is another contract',
			'completed',
			withFields('Here.', { ...harmless, 'Same Contract': false }),
			'These do not seem to be versions of the same contract.',
			true,
		],
		[
			'is compared without a word on what is not marked',
			'completed',
			withFields('Here.', { ...harmless, 'Unmarked Changes': null }),
			'The comparison is incomplete.',
			true,
		],
		['is declined', 'filtered', 'Not for us.', 'The versions were not compared: Not for us.', true],
		[
			'could not be read',
			'error',
			'The file is damaged.',
			'The versions were not compared: The file is damaged.',
			true,
		],
	] as const)(
		'a version that %s: the colleague reads so in a plain email, and gets the files named and a task if a lawyer has to look',
		async (_what, status, answer, said, isForLawyer) => {
			await stage.publish('version-changes.json');
			stage.answer(status, answer);
			await stage.done(send);
			expect(stage.sandbox.questions).toMatchObject([
				{
					attachments: [{ fileName: 'mutual-nda.pdf' }, { fileName: 'services-agreement.docx' }],
					visibility: 'organization',
				},
			]);
			const [email, ...others] = stage.smtp.emails;
			expect([email?.to.text, email?.html, others]).toEqual([asker, false, []]);
			expect(email?.text).toMatch(
				/^Our last version: mutual-nda\.pdf\nTheir new version: services-agreement\.docx\n\n/,
			);
			expect(email?.text).toContain(said);
			expect(email?.text?.includes("Please don't sign it yet: LEGAL-")).toBe(isForLawyer);
			expect(stage.taskTitles()).toEqual(
				isForLawyer ? ['Look at the changes of Meridian for buyer@example.com'] : [],
			);
		},
	);

	test('a list of changes has a line above it that says who wrote it, and both files are told apart even if they have the same name', async () => {
		await stage.publish('version-changes.json');
		stage.answer('completed', withFields('Here.', harmless));
		await stage.done(() => send({ ...agreement, fileName: nda.fileName }));
		expect(stage.smtp.emails[0]?.text).toContain(
			'Written by Legal AI. Nobody has checked it yet.\n\n- 2.1',
		);
		expect(stage.sandbox.questions[0]?.text).toMatch(
			/The first attached file is our last version \(mutual-nda\.pdf\)\. The second one is what they sent back \(mutual-nda\.pdf\)/,
		);
		expect(stage.sandbox.questions[0]?.attachments).toMatchObject([
			{ contentType: nda.contentType },
			{ contentType: agreement.contentType },
		]);
	});
});
