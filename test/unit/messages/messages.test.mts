import { join } from 'node:path';

import { fillTemplate, fillText } from '../../../nodes/LegalAi/messages/template.ts';
import { publishedSources } from '../../support/sources.mts';
import { catalog, type Entry } from '../../support/messages/catalog.mts';
import { causesOf } from '../../support/messages/causes.mts';
import { messagesPage } from '../../support/messages/page.mts';

/** The names of texts in the code, and of catalogs whose text is picked by a value, e.g. `problems[result]`. */
const usedNames = new Set(
	publishedSources()
		.filter(({ path }) => !path.startsWith('nodes/LegalAi/messages/'))
		.flatMap(({ text }) => [...text.matchAll(/\b\w+(\.\w+\b|(?=\[\w+\]))/g)].map(([name]) => name)),
);

test('docs/messages.md is the page that the catalog gives (npm run docs writes it)', async () => {
	await expect(messagesPage()).toMatchFileSnapshot(
		join(import.meta.dirname, '../../../docs/messages.md'),
	);
});

test('every text of the catalog is used', () => {
	const isNamed = ({ catalog: of, name }: Entry) =>
		usedNames.has(`${of}.${name}`) || usedNames.has(of);
	const isUsed = (entry: Entry) => isNamed(entry) || causesOf(entry) !== '';
	expect(catalog.filter((entry) => !isUsed(entry))).toEqual([]);
});

test('no two texts of the catalog are the same', () => {
	const texts = catalog.map(({ message, description }) => `${message} ${description}`.trim());
	expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
});

/** Those who send callbacks are programmers; all others read the words of the editor. */
const forUsers = catalog.filter(
	(entry) => !['callbackResponses', 'signatureResponses'].includes(entry.catalog),
);

describe.each(forUsers.map((entry) => [`${entry.catalog}.${entry.name}`, entry]))(
	'%s',
	(_name, entry) => {
		const { message, description } = entry;
		const all = `${message} ${description}`.trim();
		const ownWords = all.replaceAll(/"[^"]*"/g, '');

		test('says what happened without the words that frighten', () => {
			expect(ownWords).not.toMatch(
				/\b(errors?|problems?|failures?|mistakes?|failed|illegal|fatal)\b/i,
			);
		});

		test('is American English without jargon, and quotes with double quotes', () => {
			expect(ownWords).not.toMatch(
				/\w+(isation|ised|ising|our)\b(?<!\b(your|our|hour|four))|\bcancelled\b/i,
			);
			expect(ownWords).not.toMatch(
				/\b(payload|presigned|idempotent|poll(ed|ing)?|workers?|parked?|null|undefined)\b/i,
			);
			expect(all).not.toMatch(/(^|\s)'\w|[“”‘’]/);
		});

		test('says in the message what happened and in whole sentences what to do, or is a whole sentence itself', () => {
			// These end a message that has begun with what they are about.
			if (entry.catalog === 'responseDetails') expect(message).toMatch(/^[<a-z].*[^.]$/);
			else expect(message).toMatch(description === '' ? /^[ "<A-Z].*\.$/ : /^["<A-Z].*[^.]$/);
			expect(description).toMatch(/^((n8n|[A-Z]).*[.>\]])?$/s);
		});
	},
);

test('a text gets its values in place of their names, whatever the values are, and none of them can begin a tag: n8n shows descriptions and hints as HTML', () => {
	const values = { field: '<limit> $& $1 <a href="https://x.example">', length: 12, limit: 10 };
	expect(
		fillTemplate(
			{ message: '"<field>" has <length>', description: '<limit> at most, <limit>.' },
			values,
		),
	).toEqual({
		message: '"‹limit> $& $1 ‹a href="https://x.example">" has 12',
		description: '10 at most, 10.',
	});
	expect(fillText('Nothing to fill in.')).toBe('Nothing to fill in.');
});
