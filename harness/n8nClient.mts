import type {
	ExecutionStatus,
	IBinaryData,
	IConnections,
	INode,
	IPinData,
	IWorkflowSettings,
} from 'n8n-workflow';

import {
	type Execution,
	type ExecutionSummary,
	executionStatuses,
	finalStatuses,
	readExecution,
	readSummary,
} from './executions.mts';
import { type Patience, until } from './polling.mts';
import type { RestSession } from './restSession.mts';
import { asList, asRecord, asText, isRecord, optionalText } from './unknownJson.mts';

/** A workflow as in an exported file. */
export interface WorkflowDefinition {
	name: string;
	nodes: readonly INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

/** A workflow that n8n has stored. */
export interface StoredWorkflow extends WorkflowDefinition {
	id: string;
	versionId: string;
}

/** A credential that n8n has stored: what a node's `credentials` refer to. */
export interface StoredCredential {
	id: string;
	name: string;
	type: string;
}

/** Drives an n8n as its editor does. */
export class N8nClient {
	readonly session: RestSession;
	/** The folder that holds n8n's state. */
	readonly userFolder: string;

	constructor(session: RestSession, userFolder: string) {
		this.session = session;
		this.userFolder = userFolder;
	}

	/** Where this n8n is, without a trailing slash. */
	get baseUrl() {
		return this.session.baseUrl;
	}

	async createCredential(type: string, name: string, data: Readonly<Record<string, unknown>>) {
		return readCredential(await this.session.post('/credentials', { type, name, data }));
	}

	/** Replaces the data of a credential. */
	async updateCredential(credential: StoredCredential, data: Readonly<Record<string, unknown>>) {
		await this.session.send('PATCH', `/credentials/${credential.id}`, { ...credential, data });
	}

	async credentials() {
		return asList(await this.session.get('/credentials'), 'The credentials').map(readCredential);
	}

	/** Tests a credential's data as the editor does when it is saved. */
	async testCredential(credential: StoredCredential, data: Readonly<Record<string, unknown>>) {
		const answer = await this.session.post('/credentials/test', {
			credentials: { ...credential, data },
		});
		const { status, message } = asRecord(answer, 'The verdict on a credential');
		return { status: status === 'OK' ? 'OK' : 'Error', message: optionalText(message) ?? '' };
	}

	/** Stores a workflow. Without `pinData`, n8n fails a second "Execute step" of its editor. */
	async createWorkflow(workflow: WorkflowDefinition) {
		return readWorkflow(
			await this.session.post('/workflows', {
				settings: {},
				pinData: {},
				active: false,
				...workflow,
			}),
		);
	}

	/** Replaces a stored workflow's nodes and connections. */
	async updateWorkflow({ id }: Pick<StoredWorkflow, 'id'>, workflow: WorkflowDefinition) {
		const { versionId } = await this.workflow(id);
		return readWorkflow(
			await this.session.send('PATCH', `/workflows/${id}`, { ...workflow, versionId }),
		);
	}

	async workflow(id: string) {
		return readWorkflow(await this.session.get(`/workflows/${id}`));
	}

	/** What n8n lists of its workflows, without their nodes. */
	async workflows() {
		const listed = asList(await this.session.get('/workflows'), 'The workflows');
		return listed.map((workflow) => {
			const { id, name } = asRecord(workflow, 'A workflow');
			return {
				id: asText(id, 'The id of a workflow'),
				name: asText(name, 'The name of a workflow'),
			};
		});
	}

	/** Publishes a workflow, and waits until its triggers listen. Fails with n8n's message if one refuses. */
	async activate({ id, name, versionId }: StoredWorkflow) {
		await this.session.post(`/workflows/${id}/activate`, { versionId });
		if (!(await this.#hasPublication(id))) return;
		const { status, triggers } = await this.#publication(
			id,
			`the workflow "${name}" to be published`,
			['published', 'failed', 'partial'],
		);
		if (status === 'published') return;
		const refusals = asList(triggers, 'The triggers').filter(isRecord);
		throw new Error(
			refusals.flatMap(({ errorMessage }) => optionalText(errorMessage) ?? []).join('; '),
		);
	}

	/** Stores a workflow and publishes it, as {@link activate} does. */
	async publish(workflow: WorkflowDefinition) {
		const stored = await this.createWorkflow(workflow);
		await this.activate(stored);
		return stored;
	}

	/** Unpublishes a workflow. */
	async deactivate({ id }: Pick<StoredWorkflow, 'id'>) {
		await this.session.post(`/workflows/${id}/deactivate`);
		if (!(await this.#hasPublication(id))) return;
		await this.#publication(id, 'the workflow to be taken down', ['not_published']);
	}

	/** Runs a stored workflow by hand, from its first trigger and to its end by default, and returns the execution's id. */
	async run(
		{ id, nodes }: StoredWorkflow,
		{ trigger, lastNode }: { trigger?: string; lastNode?: string } = {},
	) {
		const name = trigger ?? nodes.find(({ type }) => /trigger$|webhook$/i.test(type))?.name;
		const answer = await this.session.post(`/workflows/${id}/run`, {
			...(name !== undefined && { triggerToStartFrom: { name } }),
			...(lastNode !== undefined && { destinationNode: { nodeName: lastNode, mode: 'inclusive' } }),
		});
		const { executionId } = asRecord(answer, 'The answer to a manual run');
		return asText(executionId, 'The id of a manual execution');
	}

	/** Runs a stored workflow by hand, and waits until the execution is over. */
	async runToEnd(workflow: StoredWorkflow, patience?: Patience) {
		return await this.waitForExecution(await this.run(workflow), finalStatuses, patience);
	}

	/** Retries an execution that failed, as the list of executions offers it. */
	async retry(
		{ id }: Pick<Execution, 'id'>,
		which: 'original workflow' | 'saved workflow' = 'original workflow',
	) {
		await this.session.post(`/executions/${id}/retry`, {
			loadWorkflow: which === 'saved workflow',
		});
	}

	/** Stops an execution that runs or is parked, as its page offers it. */
	async stop({ id }: Pick<Execution, 'id'>) {
		await this.session.post(`/executions/${id}/stop`);
	}

	/** Calls a webhook at its production address. */
	async callWebhook(path: string, request: RequestInit = { method: 'POST' }) {
		return await fetch(`${this.baseUrl}/webhook/${path}`, request);
	}

	/** The executions of a workflow, newest first. */
	async executions(workflowId: string) {
		// Without a status, n8n looks up what runs and what is over separately: one that ends meanwhile is in both lists, or in neither.
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status: executionStatuses }));
		const answer = asRecord(
			await this.session.get(`/executions?filter=${filter}&limit=100`),
			'The executions',
		);
		return asList(answer.results, 'The list of executions').map(readSummary);
	}

	/** Reads an execution with the output of its nodes. */
	async execution(id: string) {
		return readExecution(await this.session.get(`/executions/${id}`));
	}

	/** Waits until an execution has one of the statuses (by default: is over). */
	async waitForExecution(
		id: string,
		statuses: readonly ExecutionStatus[] = finalStatuses,
		patience: Patience = {},
	) {
		let seen: Execution | undefined;
		const look = async () => {
			seen = await this.execution(id);
			return statuses.includes(seen.status) ? seen : undefined;
		};
		const describe = () =>
			`It was ${seen?.status}${seen?.failure ? `: ${seen.failure.message}` : ''}.`;
		return await until(`execution ${id} to be ${statuses.join(' or ')}`, look, patience, describe);
	}

	/** Waits for an execution of the workflow that is not among the known ones to reach one of the statuses. */
	async waitForNextExecution(
		workflowId: string,
		known: readonly ExecutionSummary[],
		statuses: readonly ExecutionStatus[] = finalStatuses,
		patience: Patience = {},
	) {
		const knownIds = new Set(known.map(({ id }) => id));
		const next = await until(
			'an execution to start',
			async () => (await this.executions(workflowId)).findLast(({ id }) => !knownIds.has(id)),
			patience,
		);
		return await this.waitForExecution(next.id, statuses, patience);
	}

	/** The bytes behind an item's binary field, wherever n8n keeps them. */
	async binary(field: IBinaryData) {
		if (field.id === undefined) return Buffer.from(field.data, 'base64');
		const answer = await this.session.fetch(
			`/rest/binary-data?action=download&id=${encodeURIComponent(field.id)}`,
		);
		if (!answer.ok)
			throw new Error(`n8n does not hand out ${field.id}: ${answer.status} ${await answer.text()}`);
		return Buffer.from(await answer.arrayBuffer());
	}

	/** Whether this n8n publishes after it has answered. One that does it before, such as 2.14, does not have the address. */
	async #hasPublication(workflowId: string) {
		const { status } = await this.session.fetch(`/rest/workflows/${workflowId}/publication-status`);
		return status !== 404;
	}

	/** Waits until the publication of a workflow has one of the statuses. */
	async #publication(workflowId: string, what: string, statuses: readonly string[]) {
		return await until(
			what,
			async () => {
				const publication = asRecord(
					await this.session.get(`/workflows/${workflowId}/publication-status`),
					'The publication',
				);
				return statuses.includes(asText(publication.status, 'Its status'))
					? publication
					: undefined;
			},
			{ timeout: 60_000 },
		);
	}
}

function readCredential(value: unknown): StoredCredential {
	const { id, name, type } = asRecord(value, 'A credential');
	return {
		id: asText(id, 'The id of a credential'),
		name: asText(name, 'Its name'),
		type: asText(type, 'Its type'),
	};
}

function readWorkflow(value: unknown) {
	const workflow = asRecord(value, 'A workflow');
	asText(workflow.id, 'The id of a workflow');
	asText(workflow.versionId, 'The version of a workflow');
	asList(workflow.nodes, 'The nodes of a workflow');
	return workflow as unknown as StoredWorkflow;
}
