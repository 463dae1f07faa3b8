import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../../harness/installedPackage.mts';
import { SERVICE_LIMITS } from '../../../nodes/LegalAi/api/serviceLimits.ts';
import { publishedSources } from '../../support/sources.mts';

/** What users read: the texts and fields in the sources, and the documentation. */
const texts = [
	...publishedSources().map(({ text }) => text),
	...globSync(['README.md', 'docs/*.md'], { cwd: projectFolder }).map((path) =>
		readFileSync(join(projectFolder, path), 'utf8'),
	),
].join('\n');

/** How texts speak of each limit; {@link SERVICE_LIMITS} says the numbers. */
const WORDS: Record<keyof typeof SERVICE_LIMITS, RegExp[]> = {
	newSessionsPerMinute: [
		/(?<![\d,])([\d,]+) new sessions/g,
		/New sessions \| ([\d,]+) per minute/g,
	],
	requestsPerMinute: [
		/the ([\d,]+) requests per/g,
		/(?<![\d,])(\d[\d,]*) requests and/g,
		/Requests \| ([\d,]+) per/g,
	],
	questionCharacters: [
		/limit of ([\d,]+)/g,
		/up to ([\d,]+) characters/g,
		/Question \| ([\d,]+) char/g,
	],
	attachments: [/Attachments \| ([\d,]+) per question/g],
	fileMegabytes: [/limit is ([\d,]+) MB/g, /(?<![\d,])([\d,]+) MB per file/g],
	syncSeconds: [/within the request, up to ([\d,]+) seconds/g],
	pageSize: [],
	uploadedFileDays: [/[Ff]iles are (?:kept for|deleted after) ([\d,]+) days/g],
	linkHours: [/\bworks? for ([\d,]+) hours/g, /within ([\d,]+) hours/g],
	signatureSeconds: [/more than ([\d,]+) seconds old/g],
};

test.each(
	Object.entries(WORDS).flatMap(([name, all]) => all.map((words) => [name, words] as const)),
)('texts about the limit %s say its number: %s', (name, words) => {
	const said = [...texts.matchAll(words)].map(([, number = '']) => number.replace(',', ''));
	expect(new Set(said)).toEqual(
		new Set([String(SERVICE_LIMITS[name as keyof typeof SERVICE_LIMITS])]),
	);
});
