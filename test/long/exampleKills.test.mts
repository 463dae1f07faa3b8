import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { bundledContract } from '../../harness/examples.mts';
import { finalStatuses } from '../../harness/executions.mts';
import { until } from '../../harness/polling.mts';
import { completeAll } from '../support/n8n/parkedQuestions.mts';
import { Stage } from '../support/products/stage.mts';

const ITEMS = 20;
/** The longest time between the start of an example and the kill, in ms: by then, some items are asked about. */
const LONGEST_MS = 4_000;

const stage = await Stage.ofThisFile();
const { google, hubspot, jira, microsoft } = stage.products;
const { tasks } = stage.sandbox;
const contract = await bundledContract('mutual-nda.pdf');
const yesterday = new Date(Date.now() - 86_400_000);

/** What every example can do with: differences to tell of, a duty, and a file that is a draft and a redline. */
const answer = JSON.stringify({
	Differences: ['The term is longer.'],
	'Signed by All': true,
	parties: 'Meridian',
	term: '2026 to 2028',
	renewal: 'None.',
	notice_needed: false,
	risk: 'low',
	reason: 'Usual terms.',
	duties: [`${yesterday.getFullYear() + 2}-06-30: Send the report (5.2)`],
});

interface Row {
	example: string;
	schedule: string;
	/** The addresses of its product. */
	product: RegExp;
	/**
	 * How long the example waits before it takes again what it has not done, and no time instead. It is told to look only once
	 * everything has come to rest, as it has in the example's own time.
	 */
	atOnce: Record<string, string>;
	/** Puts something to work on into a product. */
	add: (name: string) => void;
	/** What has come of everything: in each list of texts, each name has to be once. */
	outcome: () => string[][];
	/** How many executions wait for a lawyer, once they have asked. Default: none do. */
	undecided?: () => number;
}

const hours = { '{ hours: 2 }': '{ hours: 0 }' };

/** An email in Outlook, each from another colleague. */
function receive(name: string) {
	const id = randomUUID();
	microsoft.received.push({
		id,
		messageId: `<${id}@example.com>`,
		from: `${name}@example.com`,
		subject: name,
		body: '<p>May we sign?</p>',
		headers: {},
		attachments: [contract],
		receivedAt: new Date(),
	});
}

/** A labeled email in Gmail, with a contract of that name. */
function label(name: string, from: string, labelName: string) {
	const source = `From: ${from}
To: me@example.com
Subject: ${name}
Message-ID: <${name}@example.com>
Date: ${yesterday.toUTCString()}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="part"

--part
Content-Type: text/plain

May we sign?
--part
Content-Type: application/pdf; name="${name}.pdf"
Content-Disposition: attachment; filename="${name}.pdf"
Content-Transfer-Encoding: base64

${contract.content.toString('base64')}
--part--`.replaceAll('\n', '\r\n');
	google.emails.push({ id: name, threadId: name, source, labels: new Set([labelName]) });
}

const saveInDrive = (name: string) => {
	google.files.push({ ...contract, id: name, fileName: `${name}.pdf` });
};
const toldInJira = (isPublic: boolean) =>
	[...jira.requests.values()].flatMap(({ summary, comments }) =>
		comments.filter((comment) => comment.isPublic === isPublic).map(() => summary),
	);
const openTasks = () =>
	tasks
		.ordered()
		.filter(({ archived }) => !archived)
		.map(({ title }) => title);
const subjects = () => microsoft.mails.map(({ subject }) => subject);

const rows: Row[] = [
	{
		example: 'sharepoint-teams.json',
		schedule: 'Every 15 Minutes',
		product: /graph\.microsoft\.com/,
		atOnce: hours,
		add: (name) => {
			microsoft.folder.push({
				...contract,
				id: randomUUID(),
				fileName: `${name}.pdf`,
				cTag: randomUUID(),
				lastModifiedDateTime: yesterday.toISOString(),
			});
		},
		outcome: () => [microsoft.chat],
		undecided: () => microsoft.chat.length,
	},
	{
		example: 'hubspot-nda.json',
		schedule: 'Every Five Minutes',
		product: /api\.hubapi\.com/,
		atOnce: hours,
		add: (name) => {
			hubspot.request(name.slice(5), { nda_party: name });
		},
		outcome: () => [openTasks()],
		undecided: () => openTasks().length,
	},
	{
		example: 'jira-contracts.json',
		schedule: 'Every Five Minutes',
		product: /atlassian\.net/,
		atOnce: hours,
		add: (name) => {
			jira.create(`LEGAL-${name.slice(5)}`, name, { ...contract, id: randomUUID() });
		},
		outcome: () => [stage.taskTitles(), toldInJira(true), toldInJira(false)],
	},
	{
		example: 'teams-questions.json',
		schedule: 'Every Minute',
		product: /graph\.microsoft\.com/,
		atOnce: { '{ minutes: 45 }': '{ minutes: 0 }' },
		add: (name) => {
			microsoft.chats.write(name, 'Ada', 'May we sign?');
		},
		outcome: () => [
			[...microsoft.chats.byId].flatMap(([name, messages]) =>
				messages.filter(({ html }) => html.includes('Written by an AI')).map(() => name),
			),
		],
	},
	{
		example: 'gmail-drafts.json',
		schedule: 'Every 5 Minutes',
		product: /googleapis\.com/,
		atOnce: hours,
		add: (name) => {
			label(name, 'vendor@meridian.example', 'LEGAL_REVIEW');
		},
		outcome: () => [google.drafts.map(({ email }) => email.subject), stage.taskTitles()],
	},
	{
		example: 'signed-contracts.json',
		schedule: 'Every 15 Minutes',
		product: /googleapis\.com/,
		atOnce: hours,
		add: (name) => {
			saveInDrive(name);
			label(name, 'service@docusign.net', 'LEGAL_SIGNED');
		},
		outcome: () => [google.filed.map(({ name }) => String(name)), stage.taskTitles()],
	},
	{
		example: 'contract-backlog.json',
		schedule: 'Every Day at Six',
		product: /googleapis\.com/,
		atOnce: { '20 - ': '100 - ' },
		add: saveInDrive,
		outcome: () => [
			google.sheet.slice(1).map((cells) => cells.join()),
			tasks.ordered().map(({ description }) => description ?? ''),
		],
	},
	{
		example: 'outlook-redline.json',
		schedule: 'Every 5 Minutes',
		product: /graph\.microsoft\.com/,
		atOnce: hours,
		add: receive,
		outcome: () => [subjects(), stage.taskTitles()],
	},
	{
		example: 'outlook-mailbox.json',
		schedule: 'Every Minute',
		product: /graph\.microsoft\.com/,
		atOnce: hours,
		add: receive,
		outcome: () => [subjects()],
	},
];

/** Names that no item had before: some examples remember them all. */
const namesOf = (count: number) =>
	Array.from({ length: count }, () => `item-${randomInt(1e9, 1e10)}`).sort();

/** Publishes an example, puts items into its product, and has it take them. */
async function start({ add, schedule }: Row, names: string[]) {
	stage.answer('completed', answer, 'redline.docx');
	await stage.run(schedule);
	for (const name of names) add(name);
	await stage.n8n.run(stage.workflow, { trigger: schedule });
}

/** Which of these names are in each list of the outcome: what waits for a lawyer in an earlier test goes on meanwhile. */
const found = ({ outcome }: Row, names: string[]) =>
	outcome().map((texts) =>
		texts
			.flatMap((text) => /item-\d+/.exec(text) ?? [])
			.filter((name) => names.includes(name))
			.sort(),
	);

/** Answers what is asked until every execution is over or waits for a lawyer, apart from those that the kill has left. */
async function comeToRest({ undecided = () => 0 }: Row, dead: string[]) {
	await until(
		'everything to come to rest',
		async () => {
			const waitForLawyer = undecided();
			const alive = (await stage.n8n.executions(stage.workflow.id)).filter(
				({ id, status }) => !dead.includes(id) && !finalStatuses.includes(status),
			);
			if (alive.some(({ status }) => status !== 'waiting')) return undefined;
			if (alive.length === waitForLawyer) return true;
			await completeAll(stage.sandbox);
			return undefined;
		},
		{ timeout: 240_000, interval: 500 },
	);
}

test.each(rows)(
	'$example: n8n is killed as 20 items are taken, and each gets what it should, once',
	async (row) => {
		const names = namesOf(ITEMS);
		await stage.publish(row.example, row.atOnce);
		await start(row, names);
		await sleep(randomInt(LONGEST_MS));
		const { length } = stage.sandbox.questions;
		await stage.n8n.restart();
		const dead = (await stage.n8n.executions(stage.workflow.id))
			.filter(({ status }) => status !== 'waiting')
			.map(({ id }) => id);
		// The first look takes again what the kill has left. The others find nothing, or an end that was not noted.
		for (let look = 0; look < 3; look += 1) {
			await comeToRest(row, dead);
			await stage.n8n.run(stage.workflow, { trigger: row.schedule });
		}
		await comeToRest(row, dead);
		const lists = found(row, names);
		console.log(row.example, {
			askedBeforeKill: length,
			asked: stage.sandbox.questions.length,
			lost: lists.map((list) => ITEMS - new Set(list).size),
			twice: lists.map((list) => list.length - new Set(list).size),
		});
		expect(lists).toEqual(lists.map(() => names));
	},
);

const waiting = ['sharepoint-teams.json', 'signed-contracts.json', 'teams-questions.json'];

test.each(rows.filter(({ example }) => waiting.includes(example)))(
	'$example: n8n was off for hours: what still waits for its answer is taken again, and gets what it should once',
	async (row) => {
		const names = namesOf(1);
		await stage.publish(row.example, row.atOnce);
		await start(row, names);
		for (const count of [1, 2]) {
			await stage.sandbox.waitForQuestion(() => stage.sandbox.questions.length === count);
			for (const { callbackUrl } of stage.sandbox.questions) await stage.parked(callbackUrl);
			if (count === 1) await stage.n8n.run(stage.workflow, { trigger: row.schedule });
		}
		await comeToRest(row, []);
		const lists = found(row, names);
		expect(lists).toEqual(lists.map(() => names));
	},
);

test.each(rows.filter(({ example }) => example.startsWith('outlook')))(
	'$example: 200 emails at once each get one answer',
	async (row) => {
		const names = namesOf(200);
		await stage.publish(row.example);
		await start(row, names);
		await until(
			'200 answers',
			async () => {
				await completeAll(stage.sandbox);
				if (found(row, names).every((list) => new Set(list).size === names.length)) return true;
				await stage.n8n.run(stage.workflow, { trigger: row.schedule });
				return undefined;
			},
			{ timeout: 500_000, interval: 20_000 },
		);
		expect([found(row, names), stage.sandbox.questions.length]).toEqual([
			row.outcome().map(() => names),
			200,
		]);
	},
);

test.each(rows)(
	'$example: its product refuses the credential: the execution fails, which an error workflow tells, and what came meanwhile is taken once',
	async (row) => {
		const names = namesOf(1);
		await stage.publish(row.example, row.atOnce);
		await stage.run(row.schedule);
		stage.products.refuse(row.product, 401);
		for (const name of names) row.add(name);
		stage.answer('completed', answer, 'redline.docx');
		expect((await stage.sweep(row.schedule)).status).toBe('error');
		stage.products.acceptAll();
		for (let look = 0; look < 2; look += 1) {
			await stage.n8n.run(stage.workflow, { trigger: row.schedule });
			await comeToRest(row, []);
		}
		const lists = found(row, names);
		expect(lists).toEqual(lists.map(() => names));
	},
);
