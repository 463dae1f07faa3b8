import './environment.mts';
import { LoadOptionsContext } from 'n8n-core';
import type { INode, INodeParameters, INodeType, IWorkflowSettings } from 'n8n-workflow';

import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { LegalAiEmail } from '../../../nodes/LegalAiEmail/LegalAiEmail.node.ts';
import { LegalAiTaskTrigger } from '../../../nodes/LegalAi/LegalAiTaskTrigger.node.ts';
import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { chain, node } from '../../../harness/workflows.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { BEFORE, NODE } from './execution.mts';
import { Instance } from './instance.mts';
import { PASS_ON } from './nodeTypes.mts';
import { PollingTrigger, type Scheduler } from './pollingTrigger.mts';
import './processedData.mts';
import {
	createAdditionalData,
	createWorkflow,
	type ExecuteOptions,
	type WorkflowJson,
} from './workflows.mts';

export { binaryItem, logs, readBinary, storeBinary, useBinaryData } from './core.mts';
export { BEFORE, NODE, type Execution, type Execution as NodeRun } from './execution.mts';
export { Instance } from './instance.mts';
export { PASS_ON } from './nodeTypes.mts';
export type { WorkflowJson } from './workflows.mts';

/** The nodes' full type names. */
export const LEGAL_AI = 'n8n-nodes-legal-ai.legalAi';
export const LEGAL_AI_TRIGGER = 'n8n-nodes-legal-ai.legalAiTrigger';
export const LEGAL_AI_TASK_TRIGGER = 'n8n-nodes-legal-ai.legalAiTaskTrigger';
export const LEGAL_AI_EMAIL = 'n8n-nodes-legal-ai.legalAiEmail';

/** The node after the Legal AI node. */
export const AFTER = 'After';

/** The credential's fields as a person fills them in. */
interface CredentialValues {
	baseUrl: string;
	apiKey: string;
	webhookSecret: string;
	previousWebhookSecret?: string;
}

/** What every run takes. */
export interface EngineOptions
	extends Pick<ExecuteOptions, 'mode' | 'signal' | 'workflows' | 'webhookUrl'> {
	/** The service that the credential is for. */
	service: Pick<Sandbox, 'baseUrl' | 'apiKey' | 'webhookSecret'>;
	/** Other values for the credential than those of the service; a test may change them later. */
	credential?: Partial<CredentialValues>;
	/** The n8n to run in. Default: the one of this process. */
	n8n?: Instance;
	/** Node types in addition to our own, by full name. */
	nodeTypes?: ExecuteOptions['nodeTypes'];
}

/** One run of the Legal AI node between two that pass on their items. */
export interface NodeRunOptions extends EngineOptions, Pick<ExecuteOptions, 'items'> {
	parameters: INodeParameters;
	/** The node's own settings, e.g. `onError`, `retryOnFail`, `type`. */
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
}

let started: Promise<Instance> | undefined;

/** The one n8n of this process. */
export async function instance() {
	return await (started ??= Instance.start());
}

/** Runs the Legal AI node with real n8n-core: `Before` → `Legal AI` → `After`. */
export async function runNode(options: NodeRunOptions) {
	return await runWorkflow(workflowAround(legalAiNode(options), options.settings), options);
}

/** Executes any workflow with our nodes in it until it is over or parked. */
export async function runWorkflow(
	workflow: WorkflowJson,
	options: EngineOptions & Pick<ExecuteOptions, 'items'>,
) {
	return await (options.n8n ?? (await instance())).execute(workflow, executeOptions(options));
}

/** Makes the triggers of a workflow listen at their production addresses. */
export async function activate(workflow: WorkflowJson, options: EngineOptions) {
	return await (options.n8n ?? (await instance())).activate(workflow, executeOptions(options));
}

/** What a list is filled with: the service, and the node as the editor has it. */
type ListOptions = EngineOptions & Pick<NodeRunOptions, 'node'>;

/** Fills a resource locator's list, as the editor does: `methods.listSearch[method]`. */
export async function listSearch(method: string, options: ListOptions & { filter?: string }) {
	const found = (new LegalAi() as INodeType).methods?.listSearch?.[method];
	if (found === undefined) throw new Error(`There is no listSearch.${method}`);
	return await found.call(await editorContext(options), options.filter);
}

/** Fills the list of a field with several values, as the editor does: `methods.loadOptions[method]`. */
export async function loadOptions(method: string, options: ListOptions) {
	const found = (new LegalAi() as INodeType).methods?.loadOptions?.[method];
	if (found === undefined) throw new Error(`There is no loadOptions.${method}`);
	return await found.call(await editorContext(options));
}

/** A trigger that polls, in a workflow of its own: it is not published yet. */
export async function pollingTrigger(
	options: EngineOptions &
		Pick<NodeRunOptions, 'parameters' | 'node' | 'settings'> & { scheduler?: Scheduler },
) {
	const trigger = legalAiNode({
		...options,
		node: { type: LEGAL_AI_TASK_TRIGGER, typeVersion: 1, ...options.node },
	});
	const workflow = chain('Polling workflow', [trigger, node(AFTER, PASS_ON, {})], options.settings);
	const { origin } = await instance();
	return new PollingTrigger(workflow, executeOptions(options), origin, options.scheduler);
}

async function editorContext(given: ListOptions) {
	const legalAi = legalAiNode({ parameters: {}, node: given.node });
	const options = executeOptions(given);
	const json = workflowAround(legalAi);
	const additionalData = createAdditionalData(json, options, '', (await instance()).origin);
	additionalData.currentNodeParameters = legalAi.parameters;
	return new LoadOptionsContext(createWorkflow(json, options), legalAi, additionalData, '');
}

/** The workflow that {@link runNode} runs. */
export function workflowAround(legalAi: INode, settings?: IWorkflowSettings): WorkflowJson {
	return chain(
		'Workflow under test',
		[node(BEFORE, PASS_ON, {}), legalAi, node(AFTER, PASS_ON, {})],
		settings,
	);
}

/** The Legal AI node as a workflow has it. */
export function legalAiNode({
	parameters,
	node: more,
}: Pick<NodeRunOptions, 'parameters' | 'node'>) {
	return node(NODE, LEGAL_AI, parameters, {
		id: '0e1d2c3b-4a59-4687-9786-a5b4c3d2e1f0',
		webhookId: 'd4c3b2a1-0f1e-4d2c-8b3a-495867768594',
		credentials: { legalAiApi: { id: 'credential', name: 'Legal AI API' } },
		...more,
	});
}

/** What an execution runs with. */
function executeOptions<Options extends EngineOptions>(options: Options): Options & ExecuteOptions {
	const { baseUrl, apiKey, webhookSecret } = options.service;
	return {
		...options,
		apiCredential: () => ({ baseUrl, apiKey, webhookSecret, ...options.credential }),
		nodeTypes: {
			[LEGAL_AI]: new LegalAi(),
			[LEGAL_AI_TRIGGER]: new LegalAiTrigger(),
			[LEGAL_AI_TASK_TRIGGER]: new LegalAiTaskTrigger(),
			[LEGAL_AI_EMAIL]: new LegalAiEmail(),
			...options.nodeTypes,
		},
	};
}
