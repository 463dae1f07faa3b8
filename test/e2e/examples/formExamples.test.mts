import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { type FormAnswers, lastPage } from '../../../harness/form.mts';
import { until } from '../../../harness/polling.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import { Stage } from '../../support/products/stage.mts';
import { textLike, textWith } from '../../support/matchers.mts';

const stage = await Stage.ofThisFile();
const { tasks } = stage.sandbox;
const asker = 'buyer@example.com';
const [nda, agreement] = [
	await bundledContract('mutual-nda.pdf'),
	await bundledContract('services-agreement.docx'),
];

/** An answer whose end has the values of answer fields. */
const withFields = (answer: string, fields: unknown) =>
	`${answer}\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;

// The nodes of version-changes.json are the same.
test('dpa-check.json: the form asks for a login, and its page says so if an address is none of the company: nothing is asked, and nobody is promised an email', async () => {
	await stage.publish('dpa-check.json');
	const stranger = { user: 'stranger', password: '' };
	expect((await stage.submit({ 'Your Email': asker }, stranger)).status).toBe(401);
	const { body } = await stage.submit({ 'Your Email': 'someone@example.com.meridian.example' });
	expect(body).toMatch(/Nothing was sent[^]*Your email address has to be one of our company/);
	await stage.settled(1);
	expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

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
	const checked = (...gaps: string[]) => {
		const verdicts = topics.map((topic) => [topic, gaps.includes(topic) ? 'deviates' : 'ok']);
		return withFields('Here it is.', {
			...Object.fromEntries(verdicts),
			Gaps: gaps.map((gap) => `${gap}, 4.2: ask for 48 hours`),
		});
	};
	async function send(Vendor: string, file = agreement, from = asker) {
		const { body } = await stage.submit({ 'Your Email': from, Vendor, DPA: [file] });
		expect(body).toContain('Thank you.');
	}

	test.each([
		[
			'has gaps',
			checked('Breach Notice', 'Audits'),
			'2 of 9 topics deviate',
			'- Breach Notice: deviates\n- Audits: deviates\n- Breach Notice, 4.2: ask for 48 hours',
		],
		[
			'is answered without one of the topics',
			checked().replace('"Transfers":"ok"', '"Transfers":null'),
			'not checked',
			'Not said: Transfers',
		],
	])(
		'a DPA that %s gets a row, a task and an email that allows nothing',
		async (what, answer, result, gap) => {
			await stage.publish('dpa-check.json');
			stage.answer('completed', answer);
			const row = itemsOf(await stage.done(() => send(what)), 'Record Result')[0]?.json;
			expect(row).toMatchObject({
				vendor: what,
				legal_ai_result: result,
				decision: 'open',
				legal_ai_gaps: textWith(gap),
			});
			const label =
				result === 'not checked'
					? 'It was not checked: read it yourself.'
					: 'Written by Legal AI. Nobody has checked it yet.';
			const description = textWith(`${asker} sent services-agreement.docx. ${label}\n\n${gap}`);
			const [task, ...others] = tasks.ordered();
			expect(task).toMatchObject({
				title: `Decide about the DPA of ${what}: ${result}`,
				description,
			});
			expect(task?.description).toMatch(/The file, and the answer: http/);
			expect([Date.parse(task?.complete_by ?? '') > Date.now(), others]).toEqual([true, []]);
			expect(stage.smtp.emails).toMatchObject([
				{ html: false, text: textWith("don't sign it yet") },
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
				text: textLike(/buyer@example\.com\s+sent\s+it/),
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
});

describe('version-changes.json', () => {
	const marked = {
		'Same Contract': true,
		Changes: ['2.1: "the the" is now "the"'],
		'Unmarked Changes': [],
	};
	const send = async (theirs = agreement) => {
		await stage.submit({
			'Your Email': asker,
			Counterparty: 'Meridian',
			'Our Last Version': [nda],
			'Their New Version': [theirs],
		});
	};

	test.each([
		[
			'is different although no change was found',
			withFields('Here. Harmless, no lawyer is needed.', { ...marked, Changes: [] }),
			'Compare them yourself.',
		],
		[
			'has a change that is not marked',
			withFields('Here.', { ...marked, 'Unmarked Changes': ['7: no cap'] }),
			'Not marked in their file:\n- 7: no cap',
		],
		[
			'is another contract',
			withFields('Here.', { ...marked, 'Same Contract': false }),
			'These do not seem to be versions of the same contract.',
		],
		[
			'is compared without a word on what is not marked',
			withFields('Here.', { ...marked, 'Unmarked Changes': null }),
			'The comparison is incomplete',
		],
	])(
		'a version that %s: the colleague reads so in a plain email that names the files, even if it is refused at first, and a lawyer gets it as a task with a due date',
		async (_what, answer, said) => {
			await stage.publish('version-changes.json');
			stage.smtp.refused.add(asker);
			stage.answer('completed', answer);
			await stage.done(() => send({ ...agreement, fileName: nda.fileName }));
			expect(stage.sandbox.questions).toMatchObject([
				{
					text: textLike(
						/first attached file is our last version \(mutual-nda\.pdf\)\. The second one is what they sent back \(mutual-nda\.pdf\)/,
					),
					attachments: [{ contentType: nda.contentType }, { contentType: agreement.contentType }],
				},
			]);
			const [task, ...others] = tasks.ordered();
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
		await stage.publish('version-changes.json');
		stage.smtp.refused.add(asker);
		await stage.done(() => send(nda));
		expect([stage.sandbox.questions, stage.taskTitles()]).toEqual([[], []]);
		expect(stage.smtp.emails).toMatchObject([
			{ text: textLike(/^Nothing changed: both files are the same/) },
		]);
	});
});

describe('nda-triage.json', () => {
	const asker = 'sales@example.com';
	/** An answer that poses as a link. */
	const hostile = '<a href="https://evil.example">Decide here</a> &lt;b&gt;';

	async function send(answers: FormAnswers = {}) {
		await stage.submit({
			'Your Email': asker,
			Counterparty: 'Meridian/Ltd',
			NDA: [nda],
			...answers,
		});
	}

	/** What the colleague was told by email. */
	function told(address = asker) {
		return stage.smtp.emails
			.filter(({ to }) => to.text === address)
			.map(({ text = '' }) => text.trim());
	}

	/** The task that a lawyer is to decide, once there is one. */
	async function toDecide(about = '') {
		return await until(
			'a task to decide',
			() => Promise.resolve(tasks.ordered().find(({ title }) => title.includes(about))),
			{ timeout: 60_000 },
		);
	}

	/** Writes a decision below the description of a task, and completes the task unless told otherwise. */
	function write(
		task: Task,
		decision: string,
		change: { status?: string; archived?: boolean } = { status: 'completed' },
	) {
		tasks.update(task, { description: `${task.description ?? ''} ${decision}`, ...change });
	}

	test('three NDAs at once on an n8n that has no table yet are all recorded, and only a task that says "approved" approves', async () => {
		await stage.publish('nda-triage.json', { legal_nda_decisions: 'legal_new_table' });
		stage.answer('completed', 'Usual terms. Decision: approved');
		const decisions = [
			'\nApproved, ONLY with a liability cap',
			'approved',
			'\n\ndeclined: too broad',
		];
		for (const index of decisions.keys()) await send({ Counterparty: `Company ${index}` });
		await stage.answered(decisions.length);
		for (const [index, decision] of decisions.entries())
			write(await toDecide(`Company ${index}`), decision);
		const executions = await stage.settled(decisions.length);
		const recorded = executions
			.flatMap((execution) => itemsOf(execution, 'Record Decision'))
			.map(({ json }) => [json.counterparty, json.decision, json.condition]);
		expect(recorded.sort()).toEqual([
			['Company 0', 'approved', 'ONLY with a liability cap'],
			['Company 1', 'approved', ''],
			['Company 2', 'not approved', 'too broad'],
		]);
		const said = (about: string) => told().find((text) => text.includes(about));
		expect(said('Company 0')).toMatch(
			/^Approved: the NDA with Company 0 \(mutual-nda\.pdf, sent on [^)]+\)\. Sign this file only if this is met:\s+ONLY with a liability cap\s+Task: LEGAL-\d+$/,
		);
		expect(said('Company 1')).toContain('You can sign this file.');
		expect(said('Company 2')).toContain("Please don't sign it.");
	});

	test('a lawyer who completes the task in other words, or without any, is asked again, and nobody is told anything before it is clear', async () => {
		await stage.publish('nda-triage.json');
		stage.answer('completed', 'Usual terms.');
		const id = await stage.asked(send);
		for (const [times, unclear] of ['OK, sign it', '', 'Not approved yet', 'Approved?'].entries()) {
			await until(
				'a task that is open again',
				async () => {
					const task = await toDecide();
					const asked = task.description?.split('not clear enough').length ?? 0;
					return asked === times + 1 && task.status !== 'completed' ? true : undefined;
				},
				{ timeout: 60_000 },
			);
			write(await toDecide(), unclear);
		}
		await until(
			'the last question',
			async () => ((await toDecide()).status === 'in_progress' ? true : undefined),
			{ timeout: 60_000 },
		);
		expect(told()).toEqual([]);
		write(await toDecide(), 'approved');
		await stage.finished(id);
		expect(told()).toEqual([textWith('You can sign this file.')]);
		expect(tasks.ordered()).toHaveLength(1);
	});

	test('a lawyer reads who asks, the review below a line that says who wrote it, and how to decide; no email has HTML', async () => {
		await stage.publish('nda-triage.json');
		stage.answer('completed', hostile);
		const id = await stage.asked(send);
		const task = await toDecide();
		expect(task.description).toMatch(
			/^sales@example\.com asks whether the NDA with Meridian\/Ltd may be signed: mutual-nda\.pdf, sent on \w+ \d+, \d\d:\d\d\./,
		);
		expect(task.description).toContain(
			`Written by Legal AI. Nobody has checked it yet.\n\n${hostile}\n\nThe NDA and the review: http`,
		);
		expect(Date.parse(task.complete_by ?? '')).toBeGreaterThan(Date.now() + 2 * 86_400_000);
		write(task, 'approved');
		await stage.finished(id);
		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'mutual-nda.pdf' }], visibility: 'organization' },
		]);
		expect(stage.smtp.emails.map(({ html }) => html)).toEqual([false]);
	});

	test('an NDA that the service refuses is decided by a lawyer, who is told whom to ask for the file, and gets the email if that is an address outside the company', async () => {
		const outside = 'ada@exmaple.com';
		await stage.publish('nda-triage.json');
		const body = { error_code: 'unsupported_file_type', message: 'Not this one.' };
		stage.sandbox.faults.add({
			status: 400,
			body,
			match: 'POST /files/upload-url',
		});
		const id = await stage.asked(() => send({ 'Your Email': outside }));
		const task = await toDecide();
		expect(task.description).toMatch(
			/Legal AI did not review it: [^]*Ask ada@exmaple\.com for the file/,
		);
		expect(task.description).toContain(`${outside} is not an address of your company`);
		write(task, 'approved');
		await stage.finished(id);
		expect(told(outside)).toEqual([]);
		expect(told('lawyer@example.com')).toEqual([textWith('You can sign this file.')]);
	});

	test('if nobody decides in time, the colleague is told so, and gets the decision when there is one; an archived task is none to sign by', async () => {
		await stage.publish('nda-triage.json', {
			'[3, 3, 5, 5, 5, 4, 3][$now.weekday - 1] * 24 * 60': '0.03',
		});
		stage.answer('completed', 'Usual terms.');
		const id = await stage.asked(send);
		const task = await toDecide();
		await until('the interim note', () => Promise.resolve(told()[0]), { timeout: 60_000 });
		write(task, 'approved', { archived: true });
		await stage.finished(id);
		expect(told()[0]).toMatch(
			/^The legal team has not yet decided on the NDA with Meridian\/Ltd [^]*Please don't sign it yet/,
		);
		expect(told().at(-1)).toContain('Not approved: the NDA with Meridian/Ltd');
		expect(tasks.ordered()).toHaveLength(1);
	});

	test('the key was revoked: the lawyer is asked by email, with a copy to the colleague, and reads what there is', async () => {
		await stage.publish('nda-triage.json');
		stage.expireKey();
		await stage.done(send);
		expect(stage.smtp.emails).toMatchObject([
			{
				to: { text: 'lawyer@example.com' },
				cc: { text: asker },
				text: textLike(
					/Legal AI did not review it, and there is no task: [^]*reply to all, with the NDA/,
				),
			},
		]);
	});
});

describe('front-door.json', () => {
	const DAY = 86_400_000;
	const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
	const asker = 'sales@example.com';

	/** What the assistant finds out about a request. */
	const sorted = (changes: object = {}) =>
		withFields('Here.', {
			Kind: 'contract',
			Urgency: 'later',
			Summary: 'Sign an NDA.',
			Missing: ['Who signs for us'],
			...changes,
		});

	/** Sends a request. Returns the last page of the form, once the service has answered and the execution is over. */
	async function send(questions = 1, answers: FormAnswers = {}) {
		await stage.publish('front-door.json');
		const { body } = await stage.submit({
			'Your Email': asker,
			'What Do You Need?': 'Please look at this NDA.',
			Files: [nda],
			...answers,
		});
		const page = await lastPage(body);
		if (questions > 0) await stage.answered(questions);
		await stage.settled(1);
		return page;
	}
	/** The emails to the legal team and to the colleague. */
	const emails = (to: string) =>
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
			additional_context: textLike(/Sign an NDA\.\nMissing: Who signs/),
		});
		expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now() + 12 * DAY);
		expect(emails('legal@example.com')).toEqual([
			expect.stringMatching(new RegExp(`^${number}: request of ${asker}: [^]*look at this NDA`)),
		]);
		expect(stage.smtp.emails[0]?.attachments.map(({ filename }) => filename)).toEqual([
			nda.fileName,
		]);
		expect(emails(asker)).toEqual([textWith('- Who signs for us')]);
		expect(stage.sandbox.questions).toMatchObject([
			{ visibility: 'private', attachments: [{ fileName: nda.fileName }] },
		]);
	});

	test.each([
		[
			'privacy',
			sorted({ Kind: 'privacy', Urgency: 'today', Missing: [] }),
			['front-door', 'privacy'],
			1,
		],
		['an answer without fields', 'It is an NDA.', ['front-door'], 7],
	])(
		'%s: the task has the tag and the day, and the colleague gets the number',
		async (_what, answer, tags, days) => {
			stage.answer('completed', answer);
			await send();
			expect(tasks.ordered()).toMatchObject([{ tags }]);
			expect(Date.parse(tasks.ordered()[0]?.complete_by ?? '')).toBeLessThan(
				Date.now() + days * DAY,
			);
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
});
