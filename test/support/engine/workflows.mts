import { ExternalSecretsProxy } from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { service } from './core.mts';
import { givenCredentials } from './credentials.mts';
import { createNodeTypes } from './nodeTypes.mts';

/** A workflow as n8n exports it. */
export interface WorkflowJson {
	id?: string;
	name?: string;
	active?: boolean;
	nodes: readonly INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** What a workflow runs with. */
export interface ExecuteOptions {
	/** By full name, e.g. `n8n-nodes-legal-ai.legalAi`. */
	nodeTypes: Record<string, INodeType>;
	/** Read each time, so that a test can change the credential while something waits. */
	apiCredential: () => ICredentialDataDecryptedObject;
	/** The input of the first node. Default: one empty item. */
	items?: INodeExecutionData[];
	/** Default `trigger`: a production run. */
	mode?: WorkflowExecuteMode;
	/** Stops the execution, as the Stop button does. */
	signal?: AbortSignal;
	/** Other workflows, which this one can call. */
	workflows?: WorkflowJson[];
	/** What WEBHOOK_URL is, with the slash that n8n adds. Default: where this n8n listens. */
	webhookUrl?: string;
}

export const DEFAULT_WORKFLOW_ID = 'engine-workflow';

/** A workflow with n8n's own class. */
export function createWorkflow(
	json: WorkflowJson,
	{ nodeTypes }: Pick<ExecuteOptions, 'nodeTypes'>,
	staticData: IDataObject = {},
) {
	return new Workflow({
		...savedWorkflow(json),
		nodeTypes: createNodeTypes(nodeTypes),
		staticData,
		settings: { executionOrder: 'v1', ...json.settings },
	});
}

/**
 * What n8n gives to an execution: where it listens, its credentials.
 *
 * @param hangIfKilled awaited before a credential is returned
 */
export function createAdditionalData(
	json: WorkflowJson,
	options: ExecuteOptions,
	executionId: string,
	origin: string,
	hangIfKilled?: () => Promise<void>,
): IWorkflowExecuteAdditionalData {
	const unavailable = (): never => {
		throw new Error('Not available in the engine tests');
	};
	return {
		currentNodeExecutionIndex: 0,
		credentialsHelper: givenCredentials(options.apiCredential, hangIfKilled),
		externalSecretsProxy: service(ExternalSecretsProxy),
		executionId,
		workflowId: json.id ?? DEFAULT_WORKFLOW_ID,
		variables: {},
		restApiUrl: `${origin}/rest`,
		instanceBaseUrl: `${origin}/`,
		formBaseUrl: `${origin}/form`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		formTestBaseUrl: `${origin}/form-test`,
		webhookBaseUrl: `${origin}/webhook`,
		webhookWaitingBaseUrl: `${options.webhookUrl ?? `${origin}/`}webhook-waiting`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		mcpBaseUrl: `${origin}/mcp`,
		mcpTestBaseUrl: `${origin}/mcp-test`,
		executeWorkflow: unavailable,
		startRunnerTask: unavailable,
		getRuntimeCredential: unavailable,
		getRunExecutionData: () => Promise.resolve(undefined),
		logAiEvent: () => undefined,
	};
}

/** A workflow as n8n's database has it. */
export function savedWorkflow(json: WorkflowJson): IWorkflowBase {
	return {
		id: json.id ?? DEFAULT_WORKFLOW_ID,
		name: json.name ?? 'Workflow under test',
		active: json.active ?? true,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: [...json.nodes],
		connections: json.connections,
	};
}
