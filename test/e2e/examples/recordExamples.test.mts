import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { submitForm } from '../../../harness/form.mts';
import { Stage } from './stage.mts';

const DAY = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const stage = await Stage.ofThisFile();

const terms = {
	parties: '=IMPORTXML("https://evil.example")',
	term: '2026 to 2028',
	renewal: 'Yearly.',
	notice_by: '2028-09-30',
	risk: 'low',
	reason: 'Usual terms.',
};
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
	'reminded_on',
];

test.each([
	['its terms become a row', 'completed', `Here it is:\n\`\`\`json\n${JSON.stringify(terms)}\n\`\`\``, true],
	['an answer that is no object becomes a task', 'completed', 'It is a fine contract.', false],
	['a date that is none becomes a task', 'completed', JSON.stringify({ ...terms, notice_by: 'soon' }), false],
	['a decline becomes a task', 'filtered', 'Not for us.', false],
	['an error becomes a task', 'error', 'The file is damaged.', false],
] as const)('drive-register.json: a contract is uploaded to the folder, and %s', async (_what, status, answer, isRecorded) => {
	const { google } = stage.products;
	google.sheet.length = 0;
	google.files.splice(0, Infinity, { id: 'f1', ...(await bundledContract('mutual-nda.pdf')) });
	stage.answer(status, answer);
	await stage.finished(await stage.asked(await stage.publish('drive-register.json')));

	expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf' }] }]);
	const session = `https://app.legal-ai.example/sessions/${stage.sandbox.questions[0]?.sessionId ?? ''}`;
	const row = ['mutual-nda.pdf', 'https://drive.google.com/file/d/f1', ...Object.values(terms), session, '', ''];
	expect(google.sheet).toEqual(isRecorded ? [headings, row] : []);
	if (isRecorded) expect([...google.inputOptions]).toEqual(['RAW']);
	expect(stage.taskTitles()).toEqual(isRecorded ? [] : ['Add to the contract register: mutual-nda.pdf']);
});

test('drive-register.json: contracts that are answered in the same moment get a row each', async () => {
	const { google } = stage.products;
	google.sheet.splice(0, Infinity, headings);
	google.files.length = 0;
	const workflow = await stage.publish('drive-register.json');
	stage.sandbox.settings.answer = () => ({ status: 'completed', answer: JSON.stringify(terms), after: Infinity });
	const contract = await bundledContract('mutual-nda.pdf');
	google.files.push({ id: 'one', ...contract, fileName: 'one.pdf' });
	const first = await stage.n8n.waitForExecution(await stage.n8n.run(workflow, { trigger: 'Contract Is Added' }), ['waiting']);
	google.files.push({ id: 'two', ...contract, fileName: 'two.pdf' });
	const second = await stage.n8n.waitForExecution(await stage.n8n.run(workflow, { trigger: 'Contract Is Added' }), ['waiting']);
	// Both find the same last row before either writes.
	google.holdReads(2);
	for (const { id } of stage.sandbox.questions) await stage.sandbox.complete(id);
	await Promise.all([first, second].map(async ({ id }) => await stage.finished(id)));
	expect(google.sheet.slice(1).map(([file]) => file).sort()).toEqual(['one.pdf', 'two.pdf']);
});

describe('renewal-reminders.json', () => {
	const { google, slack } = stage.products;
	const contract = (file: string, noticeBy: string, checkedBy = '', remindedOn = ''): string[] => {
		const read = ['Meridian', '', 'Yearly.', noticeBy, 'low', '', ''];
		return [file, `https://drive.google.com/${file}`, ...read, checkedBy, remindedOn];
	};
	const fill = (...contracts: readonly string[][]): void => {
		google.dates.clear();
		google.sheet.splice(0, Infinity, headings, ...contracts);
	};
	const sweep = async (): Promise<string> =>
		(await stage.n8n.waitForExecution(await stage.n8n.run(await stage.publish('renewal-reminders.json'), { trigger: 'Weekdays at Eight' }))).status;
	const posted = (): string[] => slack.calls.map(({ body }) => String(body.text));
	/** Days from now, as n8n's clock has them. */
	const soon = day(20);
	const [year, month, date] = soon.split('-').map(Number) as [number, number, number];
	const name = new Date(soon).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

	test('contracts that are due soon become a task each, and one message, once', async () => {
		fill(
			contract('soon.pdf', soon, 'A. Lawyer'),
			contract('later.pdf', day(60)),
			contract('past.pdf', day(-3)),
			contract('reported.pdf', day(10), '', day(-1)),
			contract('none.pdf', ''),
		);
		expect(await sweep()).toBe('success');
		const tasks = stage.sandbox.tasks.ordered();
		expect(tasks.map(({ title, complete_by, description }) => [title, complete_by?.slice(0, 10) !== undefined, description?.includes('Nobody')]).sort()).toEqual([
			[`Renew or give notice by ${soon}: soon.pdf`, true, false],
			[`Renew or give notice by ${day(-3)}: past.pdf`, true, true],
		].sort());
		expect(posted()).toEqual([expect.stringMatching(/soon\.pdf[^]*past\.pdf/)]);
		expect(google.sheet.map((cells) => cells[10] !== '')).toEqual([true, true, false, true, true, false]);
		expect(await sweep()).toBe('success');
		expect([posted().length, stage.sandbox.tasks.ordered().length]).toEqual([1, 2]);
	});

	test.each([
		['2026-05-31', soon],
		['31 May 2026', `${date} ${name} ${year}`],
		['May 31, 2026', `${name} ${date}, ${year}`],
		['31.5.2026', `${date}.${month}.${year}`],
	])('a date that a person types like %s is read', async (_like, typed) => {
		fill(contract('soon.pdf', typed));
		await sweep();
		expect(stage.taskTitles()).toEqual([`Renew or give notice by ${soon}: soon.pdf`]);
	});

	test('a cell that Google Sheets knows as a date is read, however it is shown', async () => {
		const shown = `${month}/${date}/${year}`;
		fill(contract('soon.pdf', shown));
		google.dates.set(shown, Date.UTC(year, month - 1, date) / DAY + 25_569);
		await sweep();
		expect(stage.taskTitles()).toEqual([`Renew or give notice by ${soon}: soon.pdf`]);
	});

	test('a text that is one date in every country is read', async () => {
		fill(contract('past.pdf', '5/31/2026'));
		await sweep();
		expect(stage.taskTitles()).toEqual(['Renew or give notice by 2026-05-31: past.pdf']);
	});

	test.each(['5/6/2026', 'end of May', '2026-02-30'])('a date that nobody can be sure of (%s) is reported once, and again when it is corrected', async (typed) => {
		fill(contract('odd.pdf', typed));
		await sweep();
		await sweep();
		expect([stage.taskTitles(), posted().length]).toEqual([[`Read the notice date "${typed}": odd.pdf`], 1]);
		const [, row] = google.sheet;
		if (row !== undefined) row[5] = soon;
		await sweep();
		expect(stage.taskTitles().sort()).toEqual([`Read the notice date "${typed}": odd.pdf`, `Renew or give notice by ${soon}: odd.pdf`]);
	});

	test.each([
		['marking the row', /^POST sheets\.googleapis\.com.*batchUpdate/],
		['posting the message', /chat\.postMessage/],
	])('%s fails: the next day, no task is created twice, and the row is marked', async (_what, address) => {
		fill(contract('soon.pdf', soon));
		stage.products.refuse(address, 503);
		expect(await sweep()).toBe('error');
		expect([stage.taskTitles().length, google.sheet[1]?.[10]]).toEqual([1, '']);
		stage.products.reset();
		expect(await sweep()).toBe('success');
		expect([stage.taskTitles().length, google.sheet[1]?.[10] !== '', posted().length]).toEqual([1, true, 1]);
	});

	test('the key has expired: nothing is posted and nothing is marked', async () => {
		fill(contract('soon.pdf', soon));
		stage.expireKey();
		expect(await sweep()).toBe('error');
		expect([posted(), google.sheet[1]?.[10]]).toEqual([[], '']);
	});

	test('a hundred are due at once: a hundred tasks, one message, and as few requests to Slack and Google as for one', async () => {
		fill(...Array.from({ length: 100 }, (_, index) => contract(`${index}.pdf`, soon)));
		expect(await sweep()).toBe('success');
		expect([stage.taskTitles().length, posted().length]).toEqual([100, 1]);
		expect(posted()[0]).toContain('… and 70 more');
		expect(google.sheet.slice(1).every((cells) => cells[10] !== '')).toBe(true);
	});
});

describe('dpa-check.json', () => {
	const topics = ['instructions', 'confidentiality', 'security', 'subprocessors', 'data subjects', 'breaches', 'deletion', 'audits', 'transfers'];
	const checked = (...gaps: readonly string[]): string =>
		JSON.stringify({
			topics: topics.map((topic) => ({ topic, verdict: gaps.includes(topic) ? 'deviates' : 'ok', clause: '4', ask_for: 'Notice within 48 hours' })),
		});
	const asker = 'buyer@example.com';
	const send = async (workflow: Awaited<ReturnType<Stage['publish']>>, Vendor: string): Promise<void> => {
		const answers = { 'Your Email': asker, Vendor, DPA: [await bundledContract('services-agreement.docx')] };
		expect((await submitForm(stage.n8n.baseUrl, workflow, answers)).status).toBe(200);
	};

	test.each([
		['follows the playbook', 'completed', checked(), 'follows the playbook', ''],
		['has gaps', 'completed', `Here it is:\n${checked('breaches', 'audits')}`, '2 of 9 topics deviate', '- breaches (deviates, 4): Notice within 48 hours'],
		['is answered without one of the topics', 'completed', checked().replace(/,\{"topic":"transfers".*?\}/, ''), 'not checked', 'Legal AI: '],
		['is not answered as asked', 'completed', 'It looks fine.', 'not checked', 'Legal AI: It looks fine.'],
		['is declined', 'filtered', 'Not for us.', 'not checked', 'Legal AI: '],
		['could not be read', 'error', 'The file is damaged.', 'not checked', 'Legal AI: The file is damaged.'],
	] as const)('a DPA that %s gets a row, a task and an email that allows nothing', async (what, status, answer, result, gap) => {
		const workflow = await stage.publish('dpa-check.json');
		stage.answer(status, answer);
		const id = await stage.asked(workflow, async () => { await send(workflow, what); });
		const row = itemsOf(await stage.finished(id), 'Record Result')[0]?.json;
		expect(row).toMatchObject({ vendor: what, result, decision: 'open', gaps: expect.stringContaining(gap) as unknown });
		expect(stage.taskTitles()).toEqual([`Decide about the DPA of ${what}: ${result}`]);
		expect(stage.smtp.emails).toMatchObject([{ text: expect.stringContaining("don't sign it yet") as unknown }]);
	});

	test('a form that is sent twice is asked about once, and has one row', async () => {
		const workflow = await stage.publish('dpa-check.json');
		stage.answer('completed', checked());
		const id = await stage.asked(workflow, async () => { await send(workflow, 'Twice'); });
		await stage.finished(id);
		const second = await stage.started(workflow, async () => { await send(workflow, 'Twice'); });
		await stage.finished(second.id);
		expect(itemsOf(second, 'Remove Second Row')).toHaveLength(1);
		expect([stage.sandbox.questions.length, stage.smtp.emails.length]).toEqual([1, 1]);
	});

	test('the form asks for a login', async () => {
		const workflow = await stage.publish('dpa-check.json');
		const answers = { 'Your Email': asker, Vendor: 'Stranger', DPA: [await bundledContract('services-agreement.docx')] };
		expect((await submitForm(stage.n8n.baseUrl, workflow, answers, { user: 'stranger', password: '' })).status).toBe(401);
	});

	test('the key has expired: the row says that nothing was checked, and the privacy team is told by email', async () => {
		const workflow = await stage.publish('dpa-check.json');
		stage.expireKey();
		const execution = await stage.started(workflow, async () => { await send(workflow, 'Expired'); });
		await stage.finished(execution.id);
		expect(itemsOf(execution, 'Record Result')[0]?.json).toMatchObject({ result: 'not checked' });
		expect(stage.smtp.emails[0]?.text).toContain('there is no task for it');
	});

	test('the email fails and the execution is retried: nothing is asked again', async () => {
		const workflow = await stage.publish('dpa-check.json');
		stage.answer('completed', checked());
		stage.smtp.isDown = true;
		const failed = await stage.n8n.waitForExecution(await stage.asked(workflow, async () => { await send(workflow, 'Retried'); }));
		expect(failed.status).toBe('error');
		stage.smtp.isDown = false;
		expect((await stage.retried(workflow, failed)).status).toBe('success');
		expect([stage.sandbox.questions.length, stage.taskTitles().length, stage.smtp.emails.length]).toEqual([1, 1, 1]);
	});
});
