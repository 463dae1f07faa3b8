import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { expect, test } from 'vitest';

import { requireAsN8n } from '../../harness/versions.mts';
import { known } from '../support/examples/nodeDescriptions.mts';

const legalAi = 'n8n-nodes-legal-ai.legalAi';

/** What n8n shows; where a type has versions, the last one counts. */
const shown = [...new Map(known.filter(({ hidden }) => hidden !== true).map((type) => [type.name, type])).values()];

/** The editor's list, as far as it is searched: a node and its trigger are one entry, under the node's name and aliases. */
const panel = shown
	.filter(({ group }) => !group.includes('trigger'))
	.map(({ name, displayName, codex }) => ({ key: name, properties: { displayName, codex: { alias: codex?.alias ?? [] } } }));

/** The editor adds up to this much to the score of nodes that many people use: here to that of every other node. */
const greatestPopularity = 100;

test.each([
	...['agreement', 'ask', 'clause', 'compliance', 'contract', 'document', 'draft', 'GDPR', 'law', 'lawyer', 'legal'],
	...['NDA', 'playbook', 'policy', 'question', 'redline', 'review', 'task', 'template', 'terms'],
	...['ask legal', 'contract review', 'draft contract', 'due diligence', 'legal question', 'legal research'],
	...['privacy policy', 'redline contract', 'review contract'],
])('the nodes panel shows Legal AI among the first three for "%s"', (query) => {
	const scores = new Map(sublimeSearch(query.toLowerCase(), panel).map(({ item, score }) => [item.key, score]));
	const own = scores.get(legalAi) ?? -Infinity;
	const better = [...scores].filter(([name, score]) => name !== legalAi && score + greatestPopularity >= own);
	expect(better.length).toBeLessThan(3);
});

interface Catalog {
	readonly NodeTypeParser: new (types: readonly unknown[]) => unknown;
	readonly searchCodeBuilderNodes: (parser: unknown, queries: readonly string[]) => { readonly results: string };
}

test("n8n's AI workflow builder reads how to use both nodes when it finds them", () => {
	const { NodeTypeParser, searchCodeBuilderNodes } = requireAsN8n('@n8n/ai-utilities/node-catalog') as Catalog;
	const { results } = searchCodeBuilderNodes(new NodeTypeParser(shown), ['legal']);
	const words = ['so do not add a Wait node', 'A workflow can have one such trigger', 'n8n-nodes-legal-ai.legalAiTrigger'];
	for (const each of words) expect(results).toContain(each);
});
