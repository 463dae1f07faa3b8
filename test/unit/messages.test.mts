import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readMessages, type Message } from './messages.mts';

const root = join(import.meta.dirname, '../..');
const messages = readMessages(root);

const SECTIONS: readonly (readonly [title: string, files: RegExp])[] = [
	['The credential', /^nodes\/LegalAi\/api\/baseUrl|^credentials/],
	['The service, and the way to it', /^nodes\/LegalAi\/api/],
	['Questions and their answers', /\/question\/|\/callbacks\/(target|parking)/],
	['Tasks', /\/task\//],
	['Files', /\/files?\//],
	['The trigger', /\/callbacks\/|Trigger/],
	['All operations', /./],
];

/** What the names and conditions in the sources mean to somebody who has a message before them. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
	[/^LOOK_FIRST › (\w+)$/, 'it is left open whether it arrived: $1'],
	[/^BY_ERROR_CODE › (\w+)$/, '`error_code` is `$1`'],
	[/^UNAUTHORIZED › (.+)$/, '401: $1'],
	[/^NOT_FOUND › other$/, '404'],
	[/^NOT_FOUND › taskList$/, '404, asking for the list of tasks'],
	[/^NOT_FOUND › (\w+)$/, '404, asking for: $1'],
	[/^BY_NETWORK_CODE › (\w+)$/, 'network: `$1`'],
	[/^BY_KIND › unreached$/, 'no connection'],
	[/^BY_KIND › untrusted$/, 'no trusted connection'],
	[/^BY_KIND › interrupted$/, '5xx, or cut off'],
	[/^BY_KIND › unreadable$/, 'an answer that is not JSON, or not what the API describes'],
	[/^BY_KIND › unlistable$/, 'a list without recognisable records or end'],
	[/^BY_KIND › refused$/, 'any other 4xx'],
	[/^BY_KIND › unanswered$/, 'a question in status `error`, where the item is to fail'],
	[/^BY_KIND › cancelled$/, 'the Stop button'],
	[/^WORDS › (\w+) › (\w+)$/, '$1 of a file: $2'],
	[/facts\.status === (\d+)$/, '$1'],
	[/^.*facts\.status >= 300.*$/, '3xx'],
];

test('the table of messages is the one that the sources have (npx vitest --update makes it anew)', async () => {
	const rows = new Map<string, string[]>();
	for (const message of messages) {
		const [title = ''] = SECTIONS.find(([, files]) => files.test(message.file)) ?? [];
		rows.set(title, [...(rows.get(title) ?? []), row(message)]);
	}
	const sections = SECTIONS.filter(([title]) => rows.has(title)).map(([title]) =>
		[`## ${title}`, '', '| When | Message | What to do |', '|---|---|---|', ...new Set(rows.get(title))].join('\n'),
	);
	const page = [
		'# Messages',
		'Every message that the nodes can show, and how to get on. `…` stands for what differs from case to case; a',
		'message about one item ends in `[item N]`, counted from 0, and one about an answer of the service has its HTTP',
		'status and its own words. This page is made from the sources by a test, so it is up to date.',
		...sections.flatMap((section) => ['', section]),
		'',
	].join('\n').replace('# Messages\n', '# Messages\n\n');
	await expect(page).toMatchFileSnapshot(join(root, 'docs/messages.md'));
});

test.each(messages.map((message) => [message.message, message] as const))(
	'says what happened without the words that frighten: %s',
	(_message, { message, description }) => {
		expect(`${message} ${description}`).not.toMatch(/\b(errors?|problems?|failures?|mistakes?)\b/i);
	},
);

test('every message says how to get on', () => {
	const silent = messages.filter(({ message, description }) => description === '' && !/[.:]/.test(message));
	expect(silent).toEqual([]);
});

function row({ cause, message, description }: Message): string {
	const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
	const [what, then] = description === '' ? sentences(message) : [message, description];
	return `| ${cell(when(cause))} | ${cell(what.replace(' [item …]', ''))} | ${cell(then)} |`;
}

/** The first sentence, and the others. */
function sentences(text: string): [string, string] {
	const [, first = text, rest = ''] = /^(.*?)\. ([A-Z].*)$/.exec(text) ?? [];
	return [first, rest];
}

function when(cause: string): string {
	const [pattern, words = ''] = CAUSES.find(([known]) => known.test(cause)) ?? [];
	return pattern === undefined ? '—' : cause.replace(pattern, words);
}
