import { readFileSync } from 'node:fs';

import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';

/** A field: its type, its default, its choices, and what else has to be chosen for it to be shown. */
type Field = [type: INodeProperties['type'], preset: unknown, choices: string[], show: object];
type Fields = Record<string, Field>;

const ICON = { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' };
const node = new LegalAi().description;
const trigger = new LegalAiTrigger().description;
const credential = new LegalAiApi();

function within(collection: string, fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${collection}.${name}`, field]));
}

/** Fields as they are, those of collections by their paths; without what only tools of agents have, which is text for a model. */
function fieldsOf(properties: INodeProperties[]): Fields {
	const saved = properties.filter(({ type, displayOptions }) => type !== 'notice' && displayOptions?.show?.['@tool'] === undefined);
	return Object.fromEntries(
		saved.flatMap((property): [string, Field][] => {
			const { name, type, modes, options = [], displayOptions } = property;
			const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
			const show = Object.fromEntries(Object.entries(displayOptions?.show ?? {}).filter(([field]) => !['resource', 'operation'].includes(field)));
			const inner = options.flatMap((option) => {
				if ('values' in option) return Object.entries(within(option.name, fieldsOf(option.values)));
				return 'type' in option ? Object.entries(fieldsOf([option])) : [];
			});
			// The order of choices is not part of what workflows save.
			const choices = (modes?.map((mode) => mode.name) ?? values).sort();
			return [[name, [type, property.default, choices, show]], ...Object.entries(within(name, Object.fromEntries(inner)))];
		}),
	);
}

/** A line for each field. */
function linesOf(owner: string, fields: Fields): string[] {
	const lines = Object.entries(fields).map(([name, [type, preset, choices, show]]) => {
		const parts = [JSON.stringify(preset), choices.join(' '), Object.keys(show).length === 0 ? '' : JSON.stringify(show)];
		return [owner, name, type, ...parts].join(' | ').replace(/[ |]+$/, '');
	});
	return lines;
}

/** The node's own properties of an operation. */
function propertiesOf(resource: string, operation: string): INodeProperties[] {
	return node.properties.filter(({ displayOptions }) => {
		const { resource: resources = [], operation: operations = [] } = displayOptions?.show ?? {};
		return resources.includes(resource) && operations.includes(operation);
	});
}

/** Every operation, with its resource. */
const OPERATIONS = node.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource] = displayOptions?.show?.resource ?? [];
		return options.flatMap((option) => ('value' in option ? [[resource as string, String(option.value)] as const] : []));
	});

describe('the Legal AI node', () => {
	test('names its actions so that the editor can make names of nodes and tools of them', () => {
		const operations = node.properties.filter(({ name }) => name === 'operation').flatMap(({ options = [] }) => options);
		const actions = operations.map((option) => ('action' in option ? option.action : undefined));
		expect(actions).toEqual(expect.arrayContaining(['Review contract or ask legal question', 'Ask legal question without waiting']));
		// The editor and the tools that n8n makes of nodes write other characters each in its own way, and n8n then runs nothing.
		for (const action of actions) expect(action).toMatch(/^[A-Za-z ]+$/);
	});

	test('has its name, its version and its credential, and can be a tool', () => {
		expect(node).toMatchObject({ displayName: 'Legal AI', name: 'legalAi', version: 1.1 });
		expect(node.usableAsTool).toBeDefined();
		expect(node).toMatchObject({ group: ['transform'], inputs: ['main'], outputs: ['main'], defaults: { name: 'Legal AI' }, icon: ICON });
		expect(node.credentials).toEqual([{ name: 'legalAiApi', required: true, testedBy: 'testLegalAiApi' }]);
		expect(node.builderHint).toMatchObject({ relatedNodes: [{ nodeType: `n8n-nodes-legal-ai.${trigger.name}`, relationHint: expect.any(String) as unknown }] });
	});

	test('receives the callbacks for parked executions at its own address', () => {
		expect(node.webhooks).toEqual([
			{
				...{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '' },
				...{ path: 'legal-ai', isFullPath: true, restartWebhook: true },
			},
		]);
	});

	test('no expression chooses the resource or the operation, since the fields depend on them, nor what holds for all items', () => {
		const options = propertiesOf('question', 'ask').find(({ name }) => name === 'options')?.options ?? [];
		const chosen = [...node.properties, ...options].filter(({ name }) => ['resource', 'operation', 'requestsAtOnce'].includes(name));
		expect(chosen.length).toBeGreaterThan(OPERATIONS.length / 2);
		for (const property of chosen) expect(property).toMatchObject({ noDataExpression: true });
	});

	test.each([
		['sync', false],
		['polling', true],
		[undefined, true],
	])('Ask and Wait, using %s, offers Max Wait: %s', (waitUsing, isOffered) => {
		const options = propertiesOf('question', 'askAndWait').find(({ name }) => name === 'options')?.options ?? [];
		const maxWait = options.find((option): option is INodeProperties => option.name === 'maxWait' && 'type' in option);
		const values: INodeParameters = { options: waitUsing === undefined ? {} : { waitUsing } };
		expect(maxWait && NodeHelpers.displayParameterPath(values, maxWait, 'options', null, node)).toBe(isOffered);
	});
});

// A line may be added. None may change or go, unless a new version of the node still reads the old one.
test('what workflows save is what contract.names.txt says: names, types, defaults and choices', async () => {
	const lines = [
		...linesOf('node', Object.fromEntries(Object.entries(fieldsOf(node.properties)).filter(([name]) => name === 'resource'))),
		...OPERATIONS.flatMap(([resource, operation]) => linesOf(`${resource}.${operation}`, fieldsOf(propertiesOf(resource, operation)))),
		...linesOf('trigger', fieldsOf(trigger.properties)),
		...linesOf('credential', fieldsOf(credential.properties)),
	];
	await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('contract.names.txt');
});

test('the Legal AI Trigger has its name, its version, its address and its fields', () => {
	expect(trigger).toMatchObject({ displayName: 'Legal AI Trigger', name: 'legalAiTrigger', version: 1.1 });
	expect(trigger).toMatchObject({ group: ['trigger'], inputs: [], outputs: ['main'], defaults: { name: 'Legal AI Trigger' } });
	expect(trigger.icon).toEqual(ICON);
	expect(trigger.credentials).toEqual(node.credentials);
	expect(trigger.builderHint).toMatchObject({ relatedNodes: [{ nodeType: `n8n-nodes-legal-ai.${node.name}`, relationHint: expect.any(String) as unknown }] });
	expect(new LegalAiTrigger().methods).toEqual(expect.objectContaining({ credentialTest: { testLegalAiApi: expect.any(Function) as unknown } }));
	expect(trigger.webhooks).toMatchObject([{ httpMethod: 'POST', path: '={{ "legal-ai/" + $workflow.id }}', isFullPath: true }]);
});

test('the credential has its name, its fields and its test', () => {
	expect(credential).toMatchObject({ name: 'legalAiApi', displayName: 'Legal AI API' });
	expect(credential.icon).toEqual({ light: 'file:../icons/legalAi.svg', dark: 'file:../icons/legalAi.dark.svg' });
	expect(credential.properties.filter(({ required }) => required).map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
	expect(new LegalAi().methods.credentialTest).toHaveProperty('testLegalAiApi');
	const secret = credential.properties.filter(({ typeOptions }) => typeOptions?.password === true).map(({ name }) => name);
	expect(secret).toEqual(expect.arrayContaining(['apiKey', 'webhookSecret', 'previousWebhookSecret']));
});

test('the package has its name and no dependencies', () => {
	const json: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
	expect(json).toMatchObject({
		name: 'n8n-nodes-legal-ai',
		license: 'MIT',
		keywords: expect.arrayContaining(['n8n-community-node-package']) as unknown,
		n8n: { strict: true },
		peerDependencies: { 'n8n-workflow': '*' },
	});
	expect(json).not.toHaveProperty('dependencies');
	expect(json).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
});
