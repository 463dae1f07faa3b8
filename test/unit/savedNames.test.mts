import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { LegalAiApi } from '../../credentials/LegalAiApi.credentials.ts';
import { LegalAi } from '../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiEmail } from '../../nodes/LegalAiEmail/LegalAiEmail.node.ts';
import { LegalAiTaskTrigger } from '../../nodes/LegalAi/LegalAiTaskTrigger.node.ts';
import { LegalAiTrigger } from '../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { type Resource, resources } from '../../nodes/LegalAi/resources/index.ts';
import manifest from '../../package.json' with { type: 'json' };

const node = new LegalAi().description;
const trigger = new LegalAiTrigger().description;
const taskTrigger = new LegalAiTaskTrigger().description;
const email = new LegalAiEmail().description;

/**
 * A line for each field, those of collections by their paths: its type, its default, its choices, and what else has to be
 * chosen for it to be shown. Notices are not saved; what only tools of agents have is text for a model.
 */
function listLines(owner: string, properties: INodeProperties[], path = ''): string[] {
	const saved = properties.filter(
		({ type, displayOptions }) =>
			type !== 'notice' && displayOptions?.show?.['@tool'] === undefined,
	);
	return saved.flatMap((property) => {
		const { name, type, default: preset, modes, options = [], displayOptions } = property;
		const { required, typeOptions, resolvableField, noDataExpression } = property;
		const conditions = Object.entries(displayOptions?.show ?? {}).filter(
			([field]) => !['resource', 'operation'].includes(field),
		);
		const show = conditions.length === 0 ? '' : JSON.stringify(Object.fromEntries(conditions));
		const values = options.flatMap((option) => ('value' in option ? [String(option.value)] : []));
		// The order of choices is not part of what workflows save.
		const choices = (modes?.map((mode) => mode.name) ?? values).sort().join(' ');
		const flags = Object.entries({
			required,
			hidden: typeOptions?.password,
			'of each user': resolvableField,
			'no expression': noDataExpression,
		}).map(([words, isSet]) => (isSet === true ? words : ''));
		const line = [owner, path + name, type, JSON.stringify(preset), choices, show, ...flags]
			.filter((part, index) => index < 3 || part !== '')
			.join(' | ');
		const inner = options.flatMap((option) => {
			if ('values' in option)
				return listLines(owner, option.values, `${path}${name}.${option.name}.`);
			return 'type' in option ? listLines(owner, [option], `${path}${name}.`) : [];
		});
		return [line, ...inner];
	});
}

/** The node's own properties of an operation. */
function findProperties(resource: string, operation: string) {
	return node.properties.filter(({ displayOptions }) => {
		const { resource: resources = [], operation: operations = [] } = displayOptions?.show ?? {};
		return resources.includes(resource) && operations.includes(operation);
	});
}

const HEADER = `# What workflows save. A line may be added; none may change or go, unless a new version of the node still reads the old one.
# After adding a field: npx vitest run --project unit test/unit/savedNames.test.mts --update`;

/** A line for what a node is called, takes and gives, and for the addresses that it listens at. */
function writeLine(description: INodeTypeDescription) {
	const { name, version, group, polling, inputs, outputs, outputNames } = description;
	const { credentials, webhooks } = description;
	const said = { version, group, polling, inputs, outputs, outputNames, credentials, webhooks };
	return `${name} | ${JSON.stringify(said)}`;
}

test('the names, types, defaults and choices that workflows save match savedNames.txt', async () => {
	const lines = [
		...[node, trigger, taskTrigger, email].map(writeLine),
		...listLines(
			'node',
			node.properties.filter(({ name }) => ['resource', 'operation'].includes(name)),
		),
		...Object.entries<Resource>(resources).flatMap(([resource, { operations }]) =>
			Object.keys(operations).flatMap((operation) =>
				listLines(`${resource}.${operation}`, findProperties(resource, operation)),
			),
		),
		...listLines('trigger', trigger.properties),
		...listLines('taskTrigger', taskTrigger.properties),
		...listLines('email', email.properties),
		...listLines('credential', new LegalAiApi().properties),
	];
	await expect(`${HEADER}\n${lines.sort().join('\n')}\n`).toMatchFileSnapshot('savedNames.txt');
});

test.each([new LegalAi(), new LegalAiTaskTrigger()])(
	'what is chosen from a list is chosen from one that the node has: $description.name',
	({ description, methods: { listSearch, loadOptions } }) => {
		const text = JSON.stringify(description.properties);
		const used = [...text.matchAll(/"(?:searchListMethod|loadOptionsMethod)":"(\w+)"/g)];
		expect(Object.keys({ ...listSearch, ...loadOptions })).toEqual(
			expect.arrayContaining(used.map(([, method]) => method)),
		);
		expect(used.length).toBeGreaterThan(5);
	},
);

// Its license, keyword and dependencies are checked by n8n's linter.
test('the package has its name, and is strict', () => {
	expect(manifest).toMatchObject({ name: 'n8n-nodes-legal-ai', n8n: { strict: true } });
});
