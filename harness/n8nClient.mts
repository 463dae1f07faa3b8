import type {
	ExecutionStatus,
	IBinaryData,
	IConnections,
	INode,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeParameters,
	IWorkflowSettings,
} from 'n8n-workflow';

import { type Execution, type ExecutionSummary, finalStatuses, readExecution, readSummary } from './executions.mts';
import { type Patience, until } from './polling.mts';
import type { RestSession } from './restSession.mts';
import { isN8n1 } from './versions.mts';
import { asList, asRecord, asText, isRecord, optionalText } from './unknownJson.mts';

/** A workflow as in an exported file. */
export interface WorkflowDefinition {
	readonly name: string;
	readonly nodes: readonly INode[];
	readonly connections: IConnections;
	readonly settings?: IWorkflowSettings;
}

/** A workflow that n8n has stored. */
export interface StoredWorkflow extends WorkflowDefinition {
	readonly id: string;
	readonly versionId: string;
}

/** A credential that n8n has stored: what a node's `credentials` refer to. */
export interface StoredCredential {
	readonly id: string;
	readonly name: string;
	readonly type: string;
}

/** A list behind a parameter, as the editor requests it. */
export interface ListRequest {
	/** The parameter's path, e.g. `parameters.assistantId`. */
	readonly path: string;
	readonly methodName: string;
	readonly nodeType: string;
	readonly parameters: INodeParameters;
	readonly credential?: StoredCredential;
	readonly filter?: string;
	readonly paginationToken?: string;
}

/** Drives an n8n as its editor does. */
export class N8nClient {
	readonly session: RestSession;
	/** The version of n8n, such as `2.41.1`. */
	readonly version: string;

	constructor(session: RestSession, version: string) {
		this.session = session;
		this.version = version;
	}

	/** Where this n8n is, without a trailing slash. */
	get baseUrl(): string {
		return this.session.baseUrl;
	}

	async createCredential(type: string, name: string, data: Readonly<Record<string, unknown>>): Promise<StoredCredential> {
		return readCredential(await this.session.post('/credentials', { type, name, data }));
	}

	/** Replaces the data of a credential. */
	async updateCredential(credential: StoredCredential, data: Readonly<Record<string, unknown>>): Promise<void> {
		await this.session.patch(`/credentials/${credential.id}`, { ...credential, data });
	}

	async credentials(): Promise<readonly StoredCredential[]> {
		return asList(await this.session.get('/credentials'), 'The credentials').map(readCredential);
	}

	/** Tests a credential's data as the editor does when it is saved. */
	async testCredential(credential: StoredCredential, data: Readonly<Record<string, unknown>>): Promise<INodeCredentialTestResult> {
		const answer = await this.session.post('/credentials/test', { credentials: { ...credential, data } });
		const verdict = asRecord(answer, 'The verdict on a credential');
		return { status: verdict.status === 'OK' ? 'OK' : 'Error', message: optionalText(verdict.message) ?? '' };
	}

	/** Stores a workflow. Without `pinData`, n8n fails a second "Execute step" of its editor. */
	async createWorkflow(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		return readWorkflow(await this.session.post('/workflows', { settings: {}, pinData: {}, active: false, ...workflow }));
	}

	/** Replaces a stored workflow's nodes and connections. */
	async updateWorkflow(stored: StoredWorkflow, workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		const body = { ...workflow, versionId: stored.versionId };
		return readWorkflow(await this.session.patch(`/workflows/${stored.id}`, body));
	}

	async workflow(id: string): Promise<StoredWorkflow> {
		return readWorkflow(await this.session.get(`/workflows/${id}`));
	}

	/** The ids of the stored workflows, by name. */
	async workflowIds(): Promise<ReadonlyMap<string, string>> {
		const workflows = asList(await this.session.get('/workflows'), 'The workflows');
		return new Map(
			workflows.map((value) => {
				const workflow = asRecord(value, 'A workflow');
				return [asText(workflow.name, 'A name'), asText(workflow.id, 'An id')];
			}),
		);
	}

	/** Publishes a workflow, and waits until its triggers listen. Fails with n8n's message if one refuses. */
	async activate(workflow: StoredWorkflow): Promise<void> {
		if (isN8n1(this.version)) {
			await this.setActive(workflow, true);
			return;
		}
		await this.session.post(`/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });
		const what = `the workflow "${workflow.name}" to be published`;
		const outcome = await until(what, async () => await this.publication(workflow.id));
		if (outcome !== 'published') throw new Error(outcome.refusal);
	}

	/** Stores a workflow and publishes it, as {@link activate} does. */
	async publish(workflow: WorkflowDefinition): Promise<StoredWorkflow> {
		const stored = await this.createWorkflow(workflow);
		await this.activate(stored);
		return stored;
	}

	/** Unpublishes a workflow. */
	async deactivate(workflow: Pick<StoredWorkflow, 'id'>): Promise<void> {
		if (isN8n1(this.version)) {
			await this.setActive(workflow, false);
			return;
		}
		await this.session.post(`/workflows/${workflow.id}/deactivate`);
		await until('the workflow to be taken down', async () => {
			const { status } = await this.publicationStatus(workflow.id);
			return status === 'not_published' ? true : undefined;
		});
	}

	/** Runs a stored workflow by hand, from its first trigger or the one named, and returns the execution's id. */
	async run(workflow: StoredWorkflow, options: { trigger?: string; lastNode?: string } = {}): Promise<string> {
		const answer = asRecord(await this.startManually(workflow, options), 'The answer to a manual run');
		return asText(answer.executionId, 'The id of a manual execution');
	}

	/** Retries an execution that failed, as the list of executions offers it. */
	async retry({ id }: Pick<Execution, 'id'>, which: 'original workflow' | 'saved workflow' = 'original workflow'): Promise<void> {
		await this.session.post(`/executions/${id}/retry`, { loadWorkflow: which === 'saved workflow' });
	}

	/** Makes the test webhook of a stored workflow listen for one call. */
	async listen(workflow: StoredWorkflow): Promise<void> {
		const answer = asRecord(await this.startManually(workflow), 'The answer to a manual run');
		if (answer.waitingForWebhook !== true) throw new Error('n8n does not wait for a test webhook');
	}

	/** Calls a webhook at its production address. */
	async callWebhook(path: string, request: RequestInit = { method: 'POST' }): Promise<Response> {
		return await fetch(`${this.baseUrl}/webhook/${path}`, request);
	}

	/** The executions of a workflow, newest first. */
	async executions(workflowId: string): Promise<readonly ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const answer = asRecord(await this.session.get(`/executions?filter=${filter}&limit=100`), 'The executions');
		return asList(answer.results, 'The list of executions').map(readSummary);
	}

	/** Reads an execution with the output of its nodes. */
	async execution(id: string): Promise<Execution> {
		return readExecution(await this.session.get(`/executions/${id}`));
	}

	/** Waits until an execution has one of the statuses (by default: is over). */
	async waitForExecution(
		id: string,
		statuses: readonly ExecutionStatus[] = finalStatuses,
		patience: Patience = {},
	): Promise<Execution> {
		let seen: Execution | undefined;
		const look = async () => {
			seen = await this.execution(id);
			return statuses.includes(seen.status) ? seen : undefined;
		};
		const describe = () => `It was ${seen?.status}${seen?.failure ? `: ${seen.failure.message}` : ''}.`;
		return await until(`execution ${id} to be ${statuses.join(' or ')}`, look, patience, describe);
	}

	/** Waits for an execution of the workflow that is not among the known ones to reach one of the statuses. */
	async waitForNextExecution(
		workflowId: string,
		known: readonly ExecutionSummary[],
		statuses: readonly ExecutionStatus[] = finalStatuses,
		patience: Patience = {},
	): Promise<Execution> {
		const knownIds = new Set(known.map(({ id }) => id));
		const next = await until(
			'an execution to start',
			async () => (await this.executions(workflowId)).findLast(({ id }) => !knownIds.has(id)),
			patience,
		);
		return await this.waitForExecution(next.id, statuses, patience);
	}

	/** Stops an execution as the editor's button does. */
	async stopExecution(id: string): Promise<void> {
		await this.session.post(`/executions/${id}/stop`);
	}

	/** The bytes behind an item's binary field, wherever n8n keeps them. */
	async binary(field: IBinaryData): Promise<Buffer> {
		if (field.id === undefined) return Buffer.from(field.data, 'base64');
		const answer = await this.session.fetch(`/rest/binary-data?action=download&id=${encodeURIComponent(field.id)}`);
		if (!answer.ok) throw new Error(`n8n does not hand out ${field.id}: ${answer.status} ${await answer.text()}`);
		return Buffer.from(await answer.arrayBuffer());
	}

	/** One page of the list behind a resource locator. */
	async locatorList(request: ListRequest): Promise<INodeListSearchResult> {
		const page = asRecord(
			await this.session.post('/dynamic-node-parameters/resource-locator-results', listBody(request)),
			'A page of a list',
		);
		asList(page.results, 'The results of a list');
		return page as unknown as INodeListSearchResult;
	}

	private async setActive({ id }: Pick<StoredWorkflow, 'id'>, active: boolean): Promise<void> {
		const { versionId } = await this.workflow(id);
		await this.session.patch(`/workflows/${id}`, { active, versionId });
	}

	private async startManually(
		workflow: StoredWorkflow,
		{ trigger, lastNode }: { trigger?: string; lastNode?: string } = {},
	): Promise<unknown> {
		const name = trigger ?? workflow.nodes.find((node) => /trigger$|webhook$/i.test(node.type))?.name;
		return await this.session.post(`/workflows/${workflow.id}/run`, {
			...(isN8n1(this.version) && { workflowData: workflow }),
			...(name !== undefined && { triggerToStartFrom: { name } }),
			...(lastNode !== undefined && { destinationNode: { nodeName: lastNode, mode: 'inclusive' } }),
		});
	}

	private async publicationStatus(workflowId: string): Promise<{ status: string; refusals: string[] }> {
		const answer = await this.session.get(`/workflows/${workflowId}/publication-status`);
		const state = asRecord(answer, 'The publication status');
		const triggers = Array.isArray(state.triggers) ? state.triggers.filter(isRecord) : [];
		return {
			status: asText(state.status, 'The publication status'),
			refusals: triggers.flatMap((trigger) => optionalText(trigger.errorMessage) ?? []),
		};
	}

	private async publication(workflowId: string): Promise<'published' | { refusal: string } | undefined> {
		const { status, refusals } = await this.publicationStatus(workflowId);
		if (status === 'published') return status;
		if (status === 'failed' || status === 'partial') return { refusal: refusals.join('; ') };
		return undefined;
	}
}

function listBody({ nodeType, parameters, credential, ...request }: ListRequest): unknown {
	return {
		...request,
		nodeTypeAndVersion: { name: nodeType, version: 1 },
		currentNodeParameters: parameters,
		...(credential !== undefined && {
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		}),
	};
}

function readCredential(value: unknown): StoredCredential {
	const credential = asRecord(value, 'A credential');
	return {
		id: asText(credential.id, 'The id of a credential'),
		name: asText(credential.name, 'The name of a credential'),
		type: asText(credential.type, 'The type of a credential'),
	};
}

function readWorkflow(value: unknown): StoredWorkflow {
	const workflow = asRecord(value, 'A workflow');
	asText(workflow.id, 'The id of a workflow');
	asText(workflow.versionId, 'The version of a workflow');
	asList(workflow.nodes, 'The nodes of a workflow');
	return workflow as unknown as StoredWorkflow;
}
