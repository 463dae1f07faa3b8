import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { deepCopy, type CodexData, type INodeTypeDescription } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { requireAsN8n } from '../../harness/versions.mts';
import { known } from './examples/nodeDescriptions.mts';

const root = join(import.meta.dirname, '../..');
const legalAi = 'n8n-nodes-legal-ai.legalAi';
const legalAiTrigger = 'n8n-nodes-legal-ai.legalAiTrigger';

/** What n8n's searches look at in a node type. */
interface Findable {
	readonly name: string;
	readonly displayName: string;
	readonly codex: { readonly alias: readonly string[] };
	readonly isTrigger: boolean;
	/** All that n8n knows of it, under its full name. */
	readonly type: object;
}

function findable(type: INodeTypeDescription): Findable {
	const { name, displayName, codex, group } = type;
	return { name, displayName, codex: { alias: codex?.alias ?? [] }, isTrigger: group.includes('trigger'), type };
}

/** One of this package's nodes, with the codex file beside it. */
function ownType({ description, constructor }: LegalAi | LegalAiTrigger): INodeTypeDescription {
	const codex = JSON.parse(readFileSync(join(root, `nodes/LegalAi/${constructor.name}.node.json`), 'utf8')) as CodexData;
	return deepCopy({ ...description, name: `n8n-nodes-legal-ai.${description.name}`, codex });
}

/** What n8n shows; where a type has versions, the last one counts. */
const shown = [...known.filter(({ hidden }) => hidden !== true), ownType(new LegalAi()), ownType(new LegalAiTrigger())];
const nodes = [...new Map(shown.map((type) => [type.name, findable(type)])).values()];

/** The editor adds up to this much to the score of nodes that many people use: here to that of every other node. */
const greatestPopularity = 100;

/** The editor's list, as far as it is searched: a node and its trigger are one entry, under the node's name and aliases. */
const panel = nodes.filter(({ isTrigger }) => !isTrigger).map((properties) => ({ key: properties.name, properties }));

/** Where the Legal AI node stands in the nodes panel, counted from 1, even if every other node were a favorite. */
function rankInPanel(query: string): number | undefined {
	const found = sublimeSearch(query.toLowerCase(), panel)
		.map(({ item, score }) => ({ name: item.key, score: item.key === legalAi ? score : score + greatestPopularity }))
		.sort((one, other) => other.score - one.score);
	const index = found.findIndex(({ name }) => name === legalAi);
	return index === -1 ? undefined : index + 1;
}

interface FoundNode {
	readonly id: string;
}

interface Catalog {
	readonly NodeTypeParser: new (types: readonly unknown[]) => { searchNodeTypes: (query: string, limit: number) => readonly FoundNode[] };
	readonly searchCodeBuilderNodes: (parser: unknown, queries: readonly string[]) => { readonly results: string };
}

const { NodeTypeParser, searchCodeBuilderNodes } = requireAsN8n('@n8n/ai-utilities/node-catalog') as Catalog;
const { createAiTools } = requireAsN8n('n8n/dist/tool-generation/ai-tools.js') as {
	createAiTools: (types: { nodes: unknown[] }, known: { nodes: object; credentials: object }) => void;
};

/** What n8n's AI workflow builder searches: all nodes, those that n8n makes tools of too. */
const builder = (() => {
	const types = { nodes: nodes.map(({ type }) => structuredClone(type)) };
	createAiTools(types, { nodes: {}, credentials: {} });
	return new NodeTypeParser(types.nodes);
})();

describe('the nodes panel shows Legal AI among the first three for', () => {
	test.each([
		...['agreement', 'ask', 'clause', 'compliance', 'contract', 'document', 'draft', 'GDPR', 'law', 'lawyer', 'legal'],
		...['NDA', 'playbook', 'policy', 'question', 'redline', 'review', 'task', 'template', 'terms'],
		...['ask legal', 'contract review', 'draft contract', 'due diligence', 'legal question', 'legal research'],
		...['privacy policy', 'redline contract', 'review contract'],
	])('%s', (query) => {
		expect(rankInPanel(query)).toBeLessThanOrEqual(3);
	});
});

describe('the AI workflow builder is offered Legal AI or its trigger among the first five for', () => {
	test.each([
		'redline a vendor contract against our playbook',
		'draft an agreement from a template',
		'ask a legal question and wait for the answer',
		'check whether our privacy policy is GDPR compliant',
		'create a task for the legal team from a form',
		'summarize the risks in an uploaded contract',
		'get notified when the lawyers answer',
		'list open legal tasks every Monday and send a digest',
		'extract the termination clause from a document',
		'send the NDA to legal for review',
	])('%s', (sentence) => {
		const firstFive = builder.searchNodeTypes(sentence, 5).map(({ id }) => id);
		expect(firstFive.filter((name) => name === legalAi || name === legalAiTrigger)).not.toEqual([]);
	});
});

test('the AI workflow builder reads how to use both nodes where it finds them', () => {
	const { results } = searchCodeBuilderNodes(builder, ['legal']);
	for (const words of ['so do not add a Wait node', 'A workflow can have one such trigger', legalAiTrigger]) expect(results).toContain(words);
});

test('the aliases are as many as the longest list of n8n itself, and each stands once', () => {
	const aliases = nodes.find(({ name }) => name === legalAi)?.codex.alias ?? [];
	const longest = Math.max(...nodes.filter(({ name }) => name !== legalAi).map(({ codex }) => codex.alias.length));
	expect(aliases.length).toBeLessThanOrEqual(longest);
	expect(new Set(aliases.map((alias) => alias.toLowerCase())).size).toBe(aliases.length);
});
