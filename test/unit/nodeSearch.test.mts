import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { reRankSearchResults } from '@n8n/utils/search/re-rank-search-results';
import { sublimeSearch } from '@n8n/utils/search/sublime-search';

import { n8nFolder, requireAsN8n } from '../../harness/versions.mts';
import { known } from '../support/examples/nodeDescriptions.mts';

const legalAi = 'n8n-nodes-legal-ai.legalAi';

/** What n8n shows; where a type has versions, the last one counts. */
const shown = [
	...new Map(
		known.filter(({ hidden }) => hidden !== true).map((type) => [type.name, type]),
	).values(),
];

/** The editor's list, as far as it is searched: a node and its trigger are one entry, under the node's name and aliases. */
const panel = shown
	.filter(({ group }) => !group.includes('trigger'))
	.map(({ name, displayName, codex }) => ({
		key: name,
		properties: { displayName, codex: { alias: codex?.alias ?? [] } },
	}));

/** What the editor adds to the score of nodes that many people use; the list is part of its program. */
const program = globSync('node_modules/n8n-editor-ui/dist/assets/*.js', {
	cwd: n8nFolder,
}).map((file) => readFileSync(join(n8nFolder, file), 'utf8'));
const listed = program.flatMap((text) => [
	...text.matchAll(/\{id:[`"']([^`"']+)[`"'],popularity:([\d.]+)\}/g),
]);
const popularity = Object.fromEntries(
	listed.map(([, name = '', share]) => [name, Number(share) * 100]),
);

function findRank(query: string) {
	const found = reRankSearchResults(sublimeSearch(query.toLowerCase(), panel), { popularity });
	return found.findIndex(({ item }) => item.key === legalAi) + 1;
}

test('the popularity of nodes is found in the program of the editor', () => {
	expect(popularity['n8n-nodes-base.httpRequest']).toBeGreaterThan(50);
});

test.each([
	...[
		'agreement',
		'ask',
		'attorney',
		'clause',
		'CLM',
		'compliance',
		'contract',
		'counsel',
		'document',
		'draft',
		'extraction',
		'GDPR',
		'intake',
		'law',
		'lawyer',
	],
	...[
		'legal',
		'matter',
		'MSA',
		'paralegal',
		'playbook',
		'policy',
		'question',
		'redline',
		'review',
		'risk',
		'SOW',
		'task',
		'template',
		'terms',
	],
	...[
		'ask legal',
		'contract review',
		'draft contract',
		'due diligence',
		'legal ops',
		'legal question',
		'legal research',
	],
	...['privacy policy', 'redline contract', 'review contract'],
])('the nodes panel shows Legal AI among the first three for "%s"', (query) => {
	expect([1, 2, 3]).toContain(findRank(query));
});

// A capital after a small letter counts more than the letters alone: as "NDA", the alias would come after monday.com, which many use.
test.each(['DPA', 'NDA'])('the nodes panel shows Legal AI first for "%s"', (query) => {
	expect(findRank(query)).toBe(1);
});

interface Catalog {
	NodeTypeParser: new (types: unknown[]) => unknown;
	searchCodeBuilderNodes: (parser: unknown, queries: string[]) => { results: string };
}

test("n8n's AI workflow builder reads how to use both nodes when it finds them", () => {
	const { NodeTypeParser, searchCodeBuilderNodes } = requireAsN8n(
		'@n8n/ai-utilities/node-catalog',
	) as Catalog;
	const { results } = searchCodeBuilderNodes(new NodeTypeParser(shown), ['legal']);
	const words = [
		'so do not add a Wait node',
		'A workflow can have one such trigger',
		'n8n-nodes-legal-ai.legalAiTrigger',
	];
	for (const each of words) expect(results).toContain(each);
});
