import { randomUUID } from 'node:crypto';

import { bundledContract } from '../../../harness/examples.mts';
import { until } from '../../../harness/polling.mts';
import type { JsonRecord } from '../../../harness/unknownJson.mts';
import { decideSoon, Stage } from '../../support/products/stage.mts';
import { textLike, textWith } from '../../support/matchers.mts';

const stage = await Stage.ofThisFile();
const { microsoft, slack } = stage.products;
const nda = await bundledContract('mutual-nda.pdf');

describe('ask-in-slack.json', () => {
	let messages = 0;

	/** A mention of the app, as Slack reports it, at a time that no message had before. */
	function mention(text = 'May we sign this?', more: Record<string, unknown> = {}) {
		return {
			type: 'app_mention',
			user: 'U1',
			channel: 'C1',
			text: `<@U0LEGAL> ${text}`,
			ts: `${Date.now()}.${++messages}`,
			...more,
		};
	}

	async function report(event: JsonRecord, eventId?: string) {
		expect(await slack.report(`${stage.webhookOf('slackTrigger')}/webhook`, event, eventId)).toBe(
			200,
		);
	}

	const marked = () =>
		slack.calls
			.filter(({ method }) => method === 'reactions.add')
			.map(({ body }) => body.timestamp);

	/** Has the service answer at once, as the example looks for the answer, except follow-ups, which it waits for. */
	function answer(status: 'completed' | 'error' | 'filtered', words: string) {
		stage.sandbox.settings.answer = ({ text }) => ({
			status,
			answer: `${words} ${text}`,
			after: text === 'And that one?' ? Infinity : 0,
		});
	}

	beforeEach(async () => {
		answer('completed', '**Yes**, to:');
		await stage.publish('ask-in-slack.json', { '"waitBetweenTries":5000': '"waitBetweenTries":0' });
	});

	test('a question is answered in its thread, and a follow-up there continues its session', async () => {
		const first = mention();
		const followUp = mention('And that one?', { thread_ts: first.ts });
		const other = mention('Something else.', { files: [{ name: 'nda.pdf' }] });
		for (const event of [first, followUp, other]) await stage.done(() => report(event));
		const { questions } = stage.sandbox;
		expect(questions.map(({ text }) => text)).toEqual([
			'May we sign this?',
			'And that one?',
			'Something else.',
		]);
		expect(questions[1]?.sessionId).toBe(questions[0]?.sessionId);
		expect(questions[2]?.sessionId).not.toBe(questions[0]?.sessionId);
		expect(slack.posted(first.ts)).toEqual([
			textLike(
				/^[^]*text":"_Written by an AI, and not checked by a lawyer\._[^]*to: May we sign this\?/,
			),
			textWith('to: And that one?'),
		]);
		expect(slack.posted(other.ts)).toEqual([
			textLike(/to: Something else\..*Files that are attached in Slack are not read/),
		]);
		expect(marked()).toEqual([first.ts, followUp.ts, other.ts]);
	});

	test('Slack delivers a mention three times, two of them at once: it is asked and answered once', async () => {
		const event = mention();
		await Promise.all([report(event, 'Ev1'), report(event, 'Ev1')]);
		await stage.settled(2);
		await report(event, 'Ev1');
		expect((await stage.settled(3)).map(({ status }) => status)).toEqual([
			'success',
			'success',
			'success',
		]);
		expect([
			stage.sandbox.questions.length,
			slack.posted(event.ts).length,
			marked().length,
		]).toEqual([1, 1, 1]);
	});

	test.each([
		[
			'if another app mentions it, the workflow posts nothing',
			mention('May we?', { bot_id: 'B1' }),
			[],
		],
		[
			'if it is mentioned without a question, the workflow asks for one',
			mention(''),
			[textWith('Please write it as text')],
		],
	])('%s, and nothing is asked', async (_what, event, said) => {
		await stage.done(() => report(event));
		expect([stage.sandbox.questions.length, slack.posted(event.ts)]).toEqual([0, said]);
	});

	test('the thread of a question that is not answered says so', async () => {
		answer('error', 'Not for us.');
		const event = mention();
		await stage.done(() => report(event));
		expect(slack.posted(event.ts)).toEqual([textWith('The legal team will look at it')]);
		expect(stage.taskTitles()).toEqual(['Answer in Slack: May we sign this?']);
	});

	test('the question has the names of people and channels, and what Slack has escaped; an answer of any length is posted whole, and nothing links to its private session', async () => {
		stage.sandbox.settings.answer = () => ({
			status: 'completed',
			answer: 'Whole. '.repeat(4000),
			after: 0,
		});
		const event = mention(
			'May <@U0CFO> sign for R&amp;D in <#C2|sales>? <https://a.example|Terms>',
		);
		await stage.done(() => report(event));
		expect(stage.sandbox.questions).toMatchObject([
			{ text: 'May @CFO sign for R&D in #sales? Terms (https://a.example)', visibility: 'private' },
		]);
		const posts = slack.posted(event.ts);
		expect([posts.length, posts.join('').match(/Whole/g)?.length]).toEqual([3, 4000]);
		expect(posts.join('')).not.toContain('/sessions/');
	});

	test('a direct message is a question, and our answer to it is none', async () => {
		const event = { type: 'message', channel_type: 'im', user: 'U1', channel: 'D1', ts: '7.1' };
		await stage.done(() => report({ ...event, text: 'May <@U0CFO> sign?' }));
		expect(slack.posted('7.1')).toEqual([textWith('to: May @CFO sign?')]);
		await stage.done(() => report({ ...event, ts: '7.2', text: 'Yes.', bot_id: 'B0' }));
		expect(stage.sandbox.questions).toHaveLength(1);
	});
});

describe('teams-questions.json', () => {
	const { chats } = microsoft;
	const said = (id: string) =>
		(chats.byId.get(id) ?? []).filter(({ from }) => from === 'me').map(({ html }) => html);

	/** Makes the messages of a chat 50 minutes old. */
	const ago = (id: string) => {
		for (const message of chats.byId.get(id) ?? []) message.at = new Date(Date.now() - 3e6);
	};

	/** Publishes the example, and has it look for messages and ask so many questions, which are answered. */
	async function look(questions = 1) {
		await stage.run('Every Minute');
		if (questions > 0) await stage.answered(questions);
		await stage.settled(1);
	}
	beforeEach(async () => {
		stage.answer('completed', '**Yes**, <sign> it.');
		await stage.publish('teams-questions.json', {
			'"waitBetweenTries":5000': '"waitBetweenTries":0',
		});
	});

	test('each chat, on all pages, is answered once and in private, though a call came after the question; what is written later, or before the answer, continues its session', async () => {
		const people = ['Ada', 'Bob', 'Eve'];
		for (const name of people) chats.write(name, name, '<p>Hi!</p>');
		chats.write('Ada', 'Ada', '<div>May <at id="0">CFO</at> sign for R&amp;D?</div>', ['a.pdf']);
		chats.write('Bob', '', '<systemEventMessage/>');
		await look(3);
		await look(0);
		const asked = stage.sandbox.questions.map(({ text }) => text).sort();
		expect(asked).toEqual(['Hi!', 'Hi!', 'Hi!\nMay @CFO sign for R&D?']);
		for (const name of people)
			expect(said(name)).toEqual([
				textWith('looking into it'),
				textLike(/Written by an AI[^]*<strong>Yes<\/strong>, &lt;sign&gt; it\./),
			]);
		expect(said('Ada')[1]).toContain('Files that are attached in Teams are not read');
		chats.write('Ada', 'Ada', 'And now?');
		await stage.run('Every Minute');
		await stage.sandbox.waitForQuestion(({ text }) => text === 'And now?');
		chats.write('Ada', 'Ada', 'And then?');
		await stage.answered();
		await stage.answered();
		await stage.settled(1);
		const [first] = stage.sandbox.questions.filter(({ text }) => text.includes('CFO'));
		expect(stage.sandbox.questions.slice(3)).toMatchObject(
			['And now?', 'And then?'].map((text) => ({
				text,
				sessionId: first?.sessionId,
				visibility: 'private',
			})),
		);
	});

	test('n8n was killed before it answered: the chat is asked about again after 45 minutes, and after three times a lawyer gets it', async () => {
		chats.write('Cid', 'Cid', 'May we?');
		chats.write('Cid', 'me', "I'm looking into it.");
		for (const from of ['Dan', 'me', 'me', 'me']) chats.write('Dan', from, "I'm looking into it.");
		chats.write('Eli', 'Eli', 'And we?');
		for (const html of ['Yes.', "I'm looking into it."]) chats.write('Eli', 'me', html);
		await look(0);
		expect(stage.sandbox.questions).toEqual([]);
		for (const id of ['Cid', 'Dan', 'Eli']) ago(id);
		await look(2);
		expect(stage.sandbox.questions.map(({ text }) => text).sort()).toEqual(['And we?', 'May we?']);
		expect(said('Cid').at(-1)).toContain('<strong>Yes</strong>');
		expect(said('Dan').at(-1)).toContain('The legal team will look at it');
		expect(stage.taskTitles()).toEqual([textLike(/^Answer in Teams: /)]);
	});
});

describe('sharepoint-teams.json', () => {
	const lawyer = 'Ada Lovelace';
	const schedule = 'Every 15 Minutes';

	/** Saves a contract in the folder, once more if it is there: when, or a day ago. */
	function save(
		fileName: string,
		lastModifiedDateTime = new Date(Date.now() - 86_400_000).toISOString(),
	) {
		const known = microsoft.folder.findIndex((file) => file.fileName === fileName);
		const [{ id } = { id: randomUUID() }] = known === -1 ? [] : microsoft.folder.splice(known, 1);
		microsoft.folder.push({ ...nda, id, fileName, cTag: randomUUID(), lastModifiedDateTime });
	}

	/** Publishes the example, saves contracts in the folder, and has the workflow find them. */
	async function publish(texts: Record<string, string>, ...fileNames: string[]) {
		await stage.publish('sharepoint-teams.json', texts);
		for (const fileName of fileNames) save(fileName);
		await stage.run(schedule);
	}

	test.each([
		[
			'is declined by the lawyer',
			'Decline',
			/not approved by Ada Lovelace on .*Reason: Too broad\./s,
		],
		['is decided by nobody in time', undefined, /not decided on within three working days/],
	])(
		'a contract that %s becomes a task with a due date and a link to it, the chat is told, and nothing is approved',
		async (_what, decision, reason) => {
			stage.answer('completed', 'Sign.');
			await publish(decision === undefined ? decideSoon : {}, 'Meridian.pdf');
			await stage.answered();
			if (decision !== undefined)
				await stage.decide(await stage.linkForLawyer(), decision, 'Too broad.', lawyer);
			await stage.settled(2);
			const [task, ...others] = stage.sandbox.tasks.ordered();
			expect([task?.title, others]).toEqual(['Review Meridian.pdf', []]);
			expect(task?.description).toMatch(reason);
			expect(task?.description).toContain('https://contoso.sharepoint.com/Meridian.pdf');
			expect(Date.parse(task?.complete_by ?? '')).toBeGreaterThan(Date.now());
			expect(microsoft.chat.filter((text) => !text.startsWith('May '))).toEqual([
				textWith(`A lawyer will look at it: ${task?.display_id ?? ''}`),
			]);
		},
	);

	test('the question can not be posted in the chat: a lawyer gets a task', async () => {
		stage.products.refuse(/^POST graph.*chats/, 403, 1);
		stage.answer('completed', 'Sign.');
		await publish({}, 'unheard.pdf');
		await stage.answered();
		await stage.settled(2);
		expect(stage.taskTitles()).toEqual(['Review unheard.pdf']);
		expect(microsoft.chat).toEqual([textWith('not decided on: the question could not be posted')]);
	});

	test('each new file is reviewed and decided on by itself, once, with its condition; an answer is shown as the text that it is; what is still being edited is not reviewed', async () => {
		stage.answer(
			'completed',
			'**Sign** with changes. <a href="https://evil.example">Decide here</a> &lt;b&gt;',
		);
		save('edited.docx', new Date().toISOString());
		await publish({}, 'a.pdf', 'b.pdf', '~$a.docx');
		await stage.answered(2);
		const condition = 'ONLY with a liability cap.';
		await stage.decide(await stage.linkForLawyer('May a.pdf'), 'Approve', condition, lawyer);
		await stage.decide(await stage.linkForLawyer('May b.pdf'), 'Decline', '', lawyer);
		await stage.settled(3);
		expect(microsoft.chat.sort()).toEqual([
			textLike(
				/^May a\.pdf \(saved on [^)]*\) be signed\?<br\/><br\/>Written by Legal AI\. Nobody has checked it yet\.<br\/><br\/>Sign with changes\. &lt;a href[^]*&amp;lt;b/,
			),
			textLike(/^May b\.pdf [^]*Sign with changes\./),
			textLike(
				/^a\.pdf \(saved on [^]* was approved by Ada Lovelace on \w+ \d+, \d\d:\d\d\.<br\/><br\/>Condition: ONLY with a liability cap\.$/,
			),
			textLike(/^b\.pdf [^]* was not approved by [^]*A lawyer will look at it: LEGAL-\d+$/),
		]);
		expect(stage.taskTitles()).toEqual(['Review b.pdf']);

		await stage.run(schedule);
		expect(stage.sandbox.questions).toHaveLength(2);
	});

	test('a second version that is saved over the first is reviewed, and an approval of the first says that it is not about the second', async () => {
		stage.answer('completed', 'Sign.');
		await publish({}, 'MSA.docx');
		await stage.answered();
		const link = await stage.linkForLawyer('May MSA.docx');
		save('MSA.docx');
		await stage.run(schedule);
		await stage.answered();
		await stage.decide(link, 'Approve', '', lawyer);
		await until('the decision', () => Promise.resolve(microsoft.chat[2]), { timeout: 60_000 });
		expect([stage.sandbox.questions.length, microsoft.chat[2]]).toEqual([
			2,
			textWith('this is not about its newest version'),
		]);
	});

	test('the key has expired: the execution fails, and the next one finds what waits; a contract that the assistant declines becomes a task', async () => {
		stage.answer('filtered', 'Not for us.');
		await stage.publish('sharepoint-teams.json');
		save('waiting.pdf');
		stage.expireKey(1);
		expect((await stage.sweep(schedule)).status).toBe('error');
		await stage.run(schedule);
		await stage.settled(3);
		expect(stage.taskTitles()).toEqual(['Review waiting.pdf']);
		expect(stage.sandbox.tasks.ordered()[0]?.description).toMatch(
			/not reviewed by Legal AI.*Legal AI: Not for us\./s,
		);
	});
});
