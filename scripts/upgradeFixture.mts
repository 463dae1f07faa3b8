// Keeps what the build of this version leaves in an n8n, for later versions to go on with: workflows with every field, and
// parked executions. To be run once for each version, just before it is released:
// `npm run build && node scripts/upgradeFixture.mts <version>`.
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type * as N8nWorkflow from 'n8n-workflow';
import type { INode, INodeParameters, INodeProperties, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { agentWorkflow, toolName } from '../test/e2e/agents.mts';
import { startLanguageModel } from '../test/e2e/languageModel.mts';
import { inDatabase, wakeNow } from '../test/e2e/storedExecutions.mts';
import { wakingEveryTwoSeconds } from '../test/e2e/wakingSoon.mts';
import { startSandbox, type Sandbox } from '../test/sandbox/sandbox.mts';
import { credentialType } from '../test/support/n8n/examples.mts';
import type { Execution } from '../test/support/n8n/executions.mts';
import { projectFolder } from '../test/support/n8n/installedPackage.mts';
import { type N8n, startN8n } from '../test/support/n8n/n8n.mts';
import type { StoredCredential, WorkflowDefinition } from '../test/support/n8n/n8nClient.mts';
import { chain, legalAi, node, webhook } from '../test/support/n8n/workflows.mts';
import { until } from '../test/support/polling.mts';
import { asText } from '../test/support/unknownJson.mts';
import { upgradesFolder, type ParkedExecution } from '../test/support/upgrades.mts';

const requireBuilt = createRequire(join(projectFolder, 'package.json'));
// Its build for modules is not for Node.
const { NodeHelpers } = requireBuilt('n8n-workflow') as typeof N8nWorkflow;
const { LegalAi } = requireBuilt('./dist/nodes/LegalAi/LegalAi.node.js') as { LegalAi: new () => INodeType };
const { LegalAiTrigger } = requireBuilt('./dist/nodes/LegalAi/LegalAiTrigger.node.js') as { LegalAiTrigger: new () => INodeType };

/** A value for a field other than its default; of choices, another one for each round. */
function exampleOf(property: INodeProperties, round: number): unknown {
	const { name, type, default: preset, options = [], modes = [], typeOptions } = property;
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const fields = options.filter((option): option is INodeProperties => 'type' in option);
	if (type === 'options') return values[round % values.length];
	if (type === 'multiOptions') return values;
	if (type === 'collection') return examplesOf(fields, round);
	if (type === 'fixedCollection') {
		const lists = options.flatMap((option) => ('values' in option ? [[option.name, option.values] as const] : []));
		return Object.fromEntries(
			lists.map(([list, inner]) => [list, typeOptions?.multipleValues === true ? [examplesOf(inner, round)] : examplesOf(inner, round)]),
		);
	}
	if (type === 'resourceLocator') return { __rl: true, mode: modes[round % modes.length]?.name, value: '0f6b3c52-9d1e-4c27-8a54-7be1d2f3a4c5' };
	if (type === 'workflowSelector') return { __rl: true, mode: 'id', value: 'example' };
	if (type === 'boolean') return round % 2 === 0 ? preset !== true : preset;
	if (type === 'number') return 7;
	if (type === 'dateTime') return '2026-01-31T09:00:00.000Z';
	if (type === 'json') return '[]';
	return /url/i.test(name) ? 'https://files.example/nda.pdf' : 'example';
}

function examplesOf(properties: readonly INodeProperties[], round: number): INodeParameters {
	return Object.fromEntries(properties.map((property) => [property.name, exampleOf(property, round)])) as INodeParameters;
}

/** How many choices there are at one place, at most. */
function roundsOf(properties: readonly INodeProperties[]): number {
	return Math.max(
		2,
		...properties.flatMap(({ type, options = [], modes = [] }) => {
			const inner = options.flatMap((option) => ('values' in option ? option.values : 'type' in option ? [option] : []));
			return [modes.length, type === 'options' ? options.length : 0, inner.length > 0 ? roundsOf(inner) : 0];
		}),
	);
}

/** Nodes of a type with every field of some, each with every choice. */
function nodesWithAll(
	description: INodeTypeDescription,
	{ name, fixed, make }: { name: string; fixed: INodeParameters; make: (name: string, parameters: INodeParameters) => INode },
): INode[] {
	const isOf = ({ displayOptions }: INodeProperties): boolean =>
		Object.entries(fixed).every(([field, value]) => displayOptions?.show?.[field]?.includes(value as string) !== false);
	const properties = description.properties.filter((property) => !Object.hasOwn(fixed, property.name) && isOf(property));
	return Array.from({ length: roundsOf(properties) }, (_, round) => {
		const given = make(`${name} ${round + 1}`, { ...examplesOf(properties, round), ...fixed });
		const shown = NodeHelpers.getNodeParameters(description.properties, given.parameters, true, false, given, description);
		return { ...given, parameters: { ...fixed, ...shown } };
	});
}

function allFields(credential: StoredCredential): WorkflowDefinition {
	const { description } = new LegalAi();
	const operations = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) => {
			const resource = asText(displayOptions?.show?.resource?.[0], 'A resource');
			return options.flatMap((option) => ('value' in option ? [{ resource, operation: String(option.value) }] : []));
		});
	const make = (type: string) => (name: string, parameters: INodeParameters) => legalAi(name, credential, parameters, { type });
	const actions = operations.flatMap((fixed) =>
		nodesWithAll(description, { name: `${fixed.resource} ${fixed.operation}`, fixed, make: make('n8n-nodes-legal-ai.legalAi') }),
	);
	const triggers = nodesWithAll(new LegalAiTrigger().description, { name: 'Trigger', fixed: {}, make: make('n8n-nodes-legal-ai.legalAiTrigger') });
	return chain('All fields', [...triggers, ...actions]);
}

interface Stage {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly credentials: readonly StoredCredential[];
}

/** Starts a workflow through its webhook and keeps it once it is parked. */
async function keepParked(
	{ n8n, sandbox, credentials }: Stage,
	{ path, workflow, meanwhile = () => Promise.resolve() }: { path: string; workflow: WorkflowDefinition; meanwhile?: (parked: Execution) => Promise<void> },
): Promise<ParkedExecution> {
	const before = sandbox.questions.length;
	const stored = await n8n.createWorkflow(workflow);
	await n8n.activate(stored);
	await n8n.callWebhook(path);
	const parked = await n8n.waitForNextExecution(stored.id, [], ['waiting', 'error', 'success']);
	if (parked.status !== 'waiting') throw new Error(`${path} is ${parked.status}: ${parked.failure?.message ?? ''}`);
	await meanwhile(parked);
	const row = (table: string, key: string) =>
		inDatabase(n8n, (database) => ({ ...database.prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).get(parked.id) }));
	const asked = sandbox.questions.slice(before);
	const openers = sandbox.questions.filter(({ id }) => asked.some(({ followUp, sessionId }) => followUp && sessionId === id));
	return {
		name: path,
		workflow,
		workflowId: stored.id,
		credentials,
		questions: [...openers, ...asked].map(({ id, text, sessionId, followUp, status }) => ({
			id,
			text,
			sessionId: followUp ? sessionId : undefined,
			isOpen: status === 'in_progress',
		})),
		parkedAt: Date.now(),
		entity: row('execution_entity', 'id'),
		data: row('execution_data', 'executionId'),
	};
}

/** A workflow that asks a question for each item, and waits for the answers. */
function asking(path: string, credential: StoredCredential, items: object[]): WorkflowDefinition {
	return chain(path, [
		webhook(path),
		node('Set', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput: JSON.stringify({ items }) }, { typeVersion: 3.4 }),
		node('Items', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'items' }),
		legalAi('Ask', credential, {
			resource: 'question',
			operation: 'askAndWait',
			question: '={{ $json.words }}',
			additionalFields: { sessionId: '={{ $json.session }}' },
		}),
		node('After', 'n8n-nodes-base.noOp', {}),
	]);
}

async function openSession(sandbox: Sandbox): Promise<string> {
	const response = await fetch(`${sandbox.baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question: 'Opening' }),
	});
	await response.arrayBuffer();
	const opened = sandbox.questions.at(-1);
	await sandbox.complete(asText(opened?.id, 'The question that opens a session'));
	return asText(opened?.sessionId, 'A session');
}

async function make(version: string): Promise<void> {
	const n8n = await startN8n({ environment: wakingEveryTwoSeconds });
	const sandbox = await startSandbox({ answerTime: [Infinity, Infinity] });
	const model = await startLanguageModel();
	try {
		const { baseUrl, apiKey, webhookSecret } = sandbox;
		const credential = await n8n.createCredential(credentialType, 'Legal AI', { baseUrl, apiKey, webhookSecret });
		const modelKey = await n8n.createCredential('openAiApi', 'Model', { apiKey: 'none', url: model.baseUrl });
		const stage = { n8n, sandbox, credentials: [credential, modelKey] };
		const { name, nodes, connections, settings } = await n8n.workflow((await n8n.createWorkflow(allFields(credential))).id);

		const two = [{ words: 'May we sign?' }, { words: 'Who pays?' }];
		const looked = async ({ id }: Execution): Promise<void> => {
			wakeNow(n8n, id);
			await until('it to look and park again', async () => {
				const { status, waitTill } = await n8n.execution(id);
				const hasLooked = sandbox.requests.some(({ method }) => method === 'GET');
				return hasLooked && status === 'waiting' && new Date(waitTill ?? 0) > new Date() ? true : undefined;
			});
		};
		const parked = [
			await keepParked(stage, { path: 'two-questions', workflow: asking('two-questions', credential, two) }),
			await keepParked(stage, { path: 'after-a-look', workflow: asking('after-a-look', credential, two), meanwhile: looked }),
		];
		const session = await openSession(sandbox);
		const turns = ['First', 'Second'].map((words) => ({ words, session }));
		parked.push(await keepParked(stage, { path: 'in-turn', workflow: asking('in-turn', credential, turns) }));
		model.reply = () => ({ tool: toolName, arguments: { Question: 'May we?' } });
		const keys = { model: modelKey, legalAi: credential };
		parked.push(await keepParked(stage, { path: 'tool', workflow: agentWorkflow(webhook('tool'), 3.1, keys) }));

		const folder = join(upgradesFolder, version);
		await mkdir(folder, { recursive: true });
		const files = { 'allFields.json': { name, nodes, connections, settings }, 'parked.json': parked };
		for (const [file, content] of Object.entries(files)) await writeFile(join(folder, file), `${JSON.stringify(content, null, '\t')}\n`);
		console.log(`Written: ${folder}`);
	} finally {
		await n8n.close();
		await sandbox.close();
		await model.close();
	}
}

const [, , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Say which version: node scripts/upgradeFixture.mts 1.2.3');
await make(version);
