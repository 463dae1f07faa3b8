import { questions, storeBinary, test, textLike } from '../../support/fixtures.mts';

const question = '={{ $json.words }}';

describe('one question', () => {
	test.for([
		['', /until \w+ \d+, \d+:\d\d\s[AP]M \w+ at/],
		['Nowhere/City', /until \w+ \d+, \d+:\d\d\s[AP]M \w+ at/],
		['UTC+3', /until \w+ \d+, \d+:\d\d\s[AP]M GMT\+3 at/],
	] as const)(
		'parks with a hint on when the wait ends if the time zone of the workflow is "%s"',
		async ([timezone, time], { run }) => {
			const { status, hints } = await run(
				'question.askAndWait',
				{ question: 'May we sign?' },
				{ settings: { timezone } },
			);
			expect([status, hints]).toEqual(['waiting', [textLike(time)]]);
		},
	);

	test('whose answer a check finds comes out with the names of the files that were sent and skipped', async ({
		service,
		run,
	}) => {
		const a = await storeBinary('A contract', { fileName: 'a.txt', mimeType: 'text/plain' });
		const b = await storeBinary('Unknown', { fileName: 'b.xyz', mimeType: 'x/y' });
		const items = [{ json: { words: 'May we sign?' }, binary: { a, b } }];
		const attachments = { attachment: [{ source: 'allBinary' }] };
		const parked = await run(
			'question.askAndWait',
			{ question, attachments, options: { unsupportedFiles: 'skip' } },
			{ items },
		);
		service.callbackFaults.drop = true;
		await service.complete(service.asked().id);
		const { json } = await parked.wake();
		expect(json).toMatchObject([
			{ status: 'completed', attachments_sent: ['a.txt'], skipped_files: [{ file_name: 'b.xyz' }] },
		]);
	});
});

describe('several questions', () => {
	test('keep the answers that come at once, and wait only for the others', async ({
		service,
		run,
	}) => {
		service.settings.answer = ({ text }) => ({
			status: text === 'Question 1' ? 'filtered' : 'completed',
			answer: 'So.',
		});
		const parked = await run('question.askAndWait', { question }, { items: questions(3) });
		expect([parked.status, parked.hints]).toEqual([
			'waiting',
			[textLike(/^Waiting for the answers to all questions, until \w+ \d+, \d+:\d+ [AP]M \w+ at/)],
		]);
		for (const { id, status } of service.questions)
			if (status === 'in_progress') await service.complete(id);
		const { json, hints } = await parked.resumed();
		expect(json.map(({ status }) => status)).toEqual(['completed', 'filtered', 'completed']);
		expect(hints.join()).not.toContain('Waiting for');
	});
});
