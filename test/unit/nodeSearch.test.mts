import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { deepCopy } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { n8nFolder, n8nVersion, requireAsN8n } from '../support/n8n/versions.mts';
import { asList, asRecord, asText, isRecord } from '../support/unknownJson.mts';

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

function readJson(path: string): unknown {
	return JSON.parse(readFileSync(path, 'utf8'));
}

function readAliases(codex: unknown): readonly string[] {
	const alias = isRecord(codex) && Array.isArray(codex.alias) ? codex.alias : [];
	return alias.filter((each) => typeof each === 'string');
}

/** The node types that a package of n8n's own brings and shows; where a type has versions, the last one counts. */
function shownNodes(packageName: string): readonly Findable[] {
	const path = join(n8nFolder(n8nVersion), 'node_modules', packageName, 'dist/types/nodes.json');
	const byName = new Map<string, Findable>();
	for (const entry of asList(readJson(path), path)) {
		const type = asRecord(entry, 'A node type');
		if (type.hidden === true) continue;
		const name = `${packageName}.${asText(type.name, 'The name of a node type')}`;
		byName.set(name, {
			name,
			displayName: asText(type.displayName, 'The name shown'),
			codex: { alias: readAliases(type.codex) },
			isTrigger: asList(type.group, 'The groups').includes('trigger'),
			type: { ...type, name },
		});
	}
	return [...byName.values()];
}

/** One of this package's nodes, with the codex file beside it. */
function ownNode(node: LegalAi | LegalAiTrigger): Findable {
	const { displayName, group } = node.description;
	const name = `n8n-nodes-legal-ai.${node.description.name}`;
	const codex = asRecord(readJson(join(root, `nodes/LegalAi/${node.constructor.name}.node.json`)), 'The codex');
	return {
		name,
		displayName,
		codex: { alias: readAliases(codex) },
		isTrigger: group.includes('trigger'),
		type: deepCopy({ ...node.description, name, codex }),
	};
}

const nodes = [
	...shownNodes('n8n-nodes-base'),
	...shownNodes('@n8n/n8n-nodes-langchain'),
	ownNode(new LegalAi()),
	ownNode(new LegalAiTrigger()),
];

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
	const aliases = ownNode(new LegalAi()).codex.alias;
	const longest = Math.max(...nodes.filter(({ name }) => name !== legalAi).map(({ codex }) => codex.alias.length));
	expect(aliases.length).toBeLessThanOrEqual(longest);
	expect(new Set(aliases.map((alias) => alias.toLowerCase())).size).toBe(aliases.length);
});
