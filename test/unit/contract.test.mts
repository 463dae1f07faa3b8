import { readFileSync } from 'node:fs';

import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';

/**
 * What is saved inside users' workflows: names, types, defaults and choices. A name may be added; none may change or go,
 * unless a new version of the node still reads the old one.
 */
type Field = [type: INodeProperties['type'], preset: unknown, choices?: string[]];
type Fields = Record<string, Field>;

const ICON = { light: 'file:../../icons/legalAi.svg', dark: 'file:../../icons/legalAi.dark.svg' };
const LIST = { mode: 'list', value: '' };
const assistant: Fields = {
	assistantId: ['resourceLocator', { mode: 'list', value: 'default', cachedResultName: 'General Assistant' }, ['list', 'id']],
};
const questionId: Fields = { questionId: ['string', '={{ $json.id }}'] };
const task: Fields = { taskId: ['resourceLocator', LIST, ['list', 'id']] };
const simplify: Fields = { simplify: ['boolean', true] };
const getAll: Fields = { returnAll: ['boolean', false], limit: ['number', 50] };

const answerOptions: Fields = {
	options: ['collection', {}],
	'options.downloadFiles': ['boolean', false],
	'options.outputPrefix': ['string', 'file_'],
	'options.onErrorStatus': ['options', 'output', ['fail', 'output']],
	'options.requestsAtOnce': ['number', 40],
};

const newQuestion: Fields = {
	...assistant,
	question: ['string', ''],
	playbook: ['resourceLocator', LIST, ['list', 'id', 'name']],
	template: ['resourceLocator', LIST, ['list', 'id', 'name']],
	attachments: ['fixedCollection', {}],
	'attachments.attachment.source': ['options', 'allBinary', ['allBinary', 'binary', 'uploadJob', 'url']],
	'attachments.attachment.binaryPropertyName': ['string', 'data'],
	'attachments.attachment.uploadJobId': ['string', ''],
	'attachments.attachment.url': ['string', ''],
	'attachments.attachment.unzip': ['boolean', false],
	additionalFields: ['collection', {}],
	'additionalFields.sessionId': ['string', ''],
	'additionalFields.visibility': ['options', 'private', ['organization', 'private', 'public']],
	...answerOptions,
	'options.giveUpAfter': ['number', 60],
	'options.noFileFound': ['options', 'ask', ['ask', 'fail']],
	'options.unsupportedFiles': ['options', 'fail', ['fail', 'skip']],
};

const settableFields: Fields = {
	description: ['string', ''],
	assignedTo: ['resourceLocator', LIST, ['list', 'id']],
	assignedAgent: ['resourceLocator', LIST, ['list', 'id']],
	assignedTeamId: ['resourceLocator', LIST, ['list', 'id']],
	matterId: ['resourceLocator', LIST, ['list', 'id']],
	status: ['resourceLocator', LIST, ['list', 'value']],
	priority: ['resourceLocator', LIST, ['list', 'value']],
	completeBy: ['dateTime', ''],
	tags: ['string', ''],
	linkedItems: ['json', ''],
};

const OPERATIONS: Record<string, Record<string, Fields>> = {
	assistant: { getAll },
	file: {
		upload: {
			fileSource: ['options', 'binary', ['allBinary', 'binary']],
			binaryPropertyName: ['string', 'data'],
			options: ['collection', {}],
			'options.fileName': ['string', ''],
			'options.contentType': ['string', ''],
		},
		download: {
			downloadFrom: ['options', 'url', ['question', 'url']],
			url: ['string', ''],
			...assistant,
			...questionId,
			binaryPropertyName: ['string', 'data'],
		},
	},
	playbook: { getAll },
	question: {
		ask: {
			...newQuestion,
			callbackTarget: ['options', 'none', ['none', 'trigger', 'workflow', 'url']],
			callbackWorkflow: ['string', ''],
			callbackUrl: ['string', ''],
		},
		askAndWait: {
			...newQuestion,
			'options.maxWait': ['number', 30],
			'options.waitUsing': ['options', 'callback', ['callback', 'polling', 'sync']],
		},
		get: { ...assistant, ...questionId, ...answerOptions },
		waitForAnswer: { ...assistant, ...questionId, ...answerOptions, 'options.maxWait': ['number', 30] },
	},
	task: {
		create: {
			title: ['string', ''],
			...simplify,
			additionalFields: ['collection', {}],
			...within('additionalFields', settableFields),
			'additionalFields.draft': ['boolean', true],
			'additionalFields.parentTaskId': ['resourceLocator', LIST, ['list', 'id']],
		},
		get: { ...task, ...simplify },
		getAll: {
			...getAll,
			...simplify,
			filters: ['collection', {}],
			'filters.query': ['string', ''],
			'filters.status': ['multiOptions', []],
			'filters.priority': ['resourceLocator', LIST, ['list', 'value']],
			'filters.assignedTo': ['resourceLocator', LIST, ['list', 'id']],
			'filters.involving': ['resourceLocator', LIST, ['list', 'id']],
			'filters.teamId': ['resourceLocator', LIST, ['list', 'id']],
			'filters.archived': ['boolean', true],
			'filters.draft': ['boolean', true],
			'filters.tags': ['string', ''],
			'filters.completeByFrom': ['dateTime', ''],
			'filters.completeByTo': ['dateTime', ''],
			options: ['collection', {}],
			'options.pageSize': ['number', 100],
		},
		update: {
			...task,
			...simplify,
			updateFields: ['collection', {}],
			...within('updateFields', settableFields),
			'updateFields.title': ['string', ''],
			'updateFields.additionalContext': ['string', ''],
			'updateFields.draft': ['boolean', false],
			'updateFields.archived': ['boolean', true],
			clearFields: [
				'multiOptions',
				[],
				[
					...['additional_context', 'assigned_agent', 'assigned_team_id', 'assigned_to', 'complete_by', 'description'],
					...['linked_items', 'matter_id', 'tags'],
				],
			],
		},
		archive: { ...task, ...simplify },
		acceptDraft: { ...task, ...simplify },
	},
	template: { getAll },
	user: { get: {} },
};

/** Fields that belong to one choice, and when they are shown. */
const SHOWN_FOR: [operation: string, field: string, show: object][] = [
	['file.upload', 'binaryPropertyName', { fileSource: ['binary'] }],
	['file.download', 'url', { downloadFrom: ['url'] }],
	['file.download', 'assistantId', { downloadFrom: ['question'] }],
	['file.download', 'questionId', { downloadFrom: ['question'] }],
	['question.ask', 'callbackWorkflow', { callbackTarget: ['workflow'] }],
	['question.ask', 'callbackUrl', { callbackTarget: ['url'] }],
	['assistant.getAll', 'limit', { returnAll: [false] }],
	['task.getAll', 'limit', { returnAll: [false] }],
];

const node = new LegalAi().description;
const trigger = new LegalAiTrigger().description;
const credential = new LegalAiApi();

function within(collection: string, fields: Fields): Fields {
	return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${collection}.${name}`, field]));
}

/** Fields as they are, those of collections by their paths. */
function fieldsOf(properties: INodeProperties[]): Fields {
	return Object.fromEntries(
		properties.flatMap((property): [string, Field][] => {
			const { name, type, modes, options = [] } = property;
			const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
			const choices = modes?.map((mode) => mode.name) ?? values;
			const inner = options.flatMap((option) => {
				if ('values' in option) return Object.entries(within(option.name, fieldsOf(option.values)));
				return 'type' in option ? Object.entries(fieldsOf([option])) : [];
			});
			return [
				[name, choices.length === 0 ? [type, property.default] : [type, property.default, choices]],
				...Object.entries(within(name, Object.fromEntries(inner))),
			];
		}),
	);
}

/** The node's own properties of an operation. */
function propertiesOf(resource: string, operation: string): INodeProperties[] {
	return node.properties.filter(({ displayOptions }) => {
		const { resource: resources = [], operation: operations = [] } = displayOptions?.show ?? {};
		return resources.includes(resource) && operations.includes(operation);
	});
}

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

	test('has its resources and operations', () => {
		expect(fieldsOf(node.properties).resource).toEqual(['options', 'question', expect.arrayContaining(Object.keys(OPERATIONS))]);
		for (const [resource, operations] of Object.entries(OPERATIONS)) {
			const lists = node.properties.filter(
				({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.resource?.includes(resource),
			);
			expect(lists.map((list) => new Set(fieldsOf([list]).operation?.[2]))).toEqual([new Set(Object.keys(operations))]);
		}
	});

	test.each(
		Object.entries(OPERATIONS).flatMap(([resource, operations]) =>
			Object.entries(operations).map(([operation, fields]) => ({ resource, operation, fields })),
		),
	)('$resource: $operation has its fields', ({ resource, operation, fields }) => {
		const actual = Object.entries(fieldsOf(propertiesOf(resource, operation)));
		const known = actual.filter(([name]) => Object.hasOwn(fields, name));
		expect(Object.fromEntries(known.map(([name, field]) => [name, inOrder(field)]))).toEqual(
			Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, inOrder(field)])),
		);
	});

	test('no expression chooses the resource or the operation, since the fields depend on them, nor what holds for all items', () => {
		const options = propertiesOf('question', 'ask').find(({ name }) => name === 'options')?.options ?? [];
		const chosen = [...node.properties, ...options].filter(({ name }) => ['resource', 'operation', 'requestsAtOnce'].includes(name));
		expect(chosen.length).toBeGreaterThan(Object.keys(OPERATIONS).length);
		for (const property of chosen) expect(property).toMatchObject({ noDataExpression: true });
	});

	test.each(SHOWN_FOR)('%s shows "%s" for one choice alone', (operationName, field, show) => {
		const [resource = '', operation = ''] = operationName.split('.');
		const property = propertiesOf(resource, operation).find(({ name }) => name === field);
		expect(property?.displayOptions?.show).toEqual({ resource: [resource], operation: [operation], ...show });
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

/** The order of choices is not part of what workflows save. */
function inOrder([type, preset, choices]: Field): unknown {
	return [type, preset, choices?.toSorted()];
}

test('the Legal AI Trigger has its name, its version, its address and its fields', () => {
	expect(trigger).toMatchObject({ displayName: 'Legal AI Trigger', name: 'legalAiTrigger', version: 1.1 });
	expect(trigger).toMatchObject({ group: ['trigger'], inputs: [], outputs: ['main'], defaults: { name: 'Legal AI Trigger' } });
	expect(trigger.icon).toEqual(ICON);
	expect(trigger.credentials).toEqual(node.credentials);
	expect(trigger.builderHint).toMatchObject({ relatedNodes: [{ nodeType: `n8n-nodes-legal-ai.${node.name}`, relationHint: expect.any(String) as unknown }] });
	expect(new LegalAiTrigger().methods).toEqual(expect.objectContaining({ credentialTest: { testLegalAiApi: expect.any(Function) as unknown } }));
	expect(trigger.webhooks).toMatchObject([{ httpMethod: 'POST', path: '={{ "legal-ai/" + $workflow.id }}', isFullPath: true }]);
	expect(fieldsOf(trigger.properties)).toMatchObject({
		events: ['multiOptions', ['completed', 'error', 'filtered'], ['completed', 'error', 'filtered']],
		options: ['collection', {}],
		'options.downloadFiles': ['boolean', false],
		'options.maxFileSize': ['number', 100],
		'options.outputPrefix': ['string', 'file_'],
		'options.verifySignature': ['boolean', true],
		'options.skipDuplicates': ['boolean', true],
	});
});

test('the credential has its name, its fields and its test', () => {
	expect(credential).toMatchObject({ name: 'legalAiApi', displayName: 'Legal AI API' });
	expect(credential.icon).toEqual({ light: 'file:../icons/legalAi.svg', dark: 'file:../icons/legalAi.dark.svg' });
	expect(credential.properties.filter(({ required }) => required).map(({ name }) => name)).toEqual(['baseUrl', 'apiKey']);
	expect(new LegalAi().methods.credentialTest).toHaveProperty('testLegalAiApi');
	expect(fieldsOf(credential.properties)).toMatchObject({
		baseUrl: ['string', ''],
		apiKey: ['string', ''],
		webhookSecret: ['string', ''],
		acceptPrevious: ['boolean', false],
		previousWebhookSecret: ['string', ''],
	});
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
