import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { HookContext, WebhookContext } from 'n8n-core';
import {
	NodeHelpers,
	type INode,
	type IRunExecutionData,
	type IWebhookResponseData,
	type IWorkflowExecuteAdditionalData,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { refusal, type HttpCall, type HttpReply } from './listener.mts';

/** A call of a node's `webhook()`. */
interface NodeCall {
	workflow: Workflow;
	node: INode;
	webhook: ReturnType<typeof findWebhooks>[number];
	http: HttpCall;
	mode: WorkflowExecuteMode;
	additionalData: IWorkflowExecuteAdditionalData;
	/** The parked execution; null if a trigger starts one. */
	data: IRunExecutionData | null;
}

/** The webhooks that a node's type describes. */
export function findWebhooks(workflow: Workflow, node: INode) {
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const resolved = (value: string) =>
		String(
			workflow.expression.getSimpleParameterValue(
				node,
				value,
				'internal',
				{},
				undefined,
				undefined,
			),
		);
	return (description.webhooks ?? []).map((webhook) => {
		const restarts = webhook.restartWebhook === true;
		return {
			description: webhook,
			path: NodeHelpers.getNodeWebhookPath(
				workflow.id,
				node,
				resolved(webhook.path),
				webhook.isFullPath === true,
				restarts,
			),
			method: resolved(webhook.httpMethod),
			restarts,
		};
	});
}

/**
 * Calls a node's `webhook()`. Gives what n8n responds, unless the node has responded, and what an execution starts or continues
 * with, if one does.
 */
export async function callNode(call: NodeCall) {
	const { workflow, node, webhook, http, mode, data } = call;
	const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	if (nodeType.webhook === undefined) throw new Error(`${node.type} has no webhook()`);
	const body = await parseBody(http.request);
	if (body === undefined) return { reply: refusal(422, 'Failed to parse request body') };
	const context = new WebhookContext(
		workflow,
		node,
		Object.assign(
			{ ...call.additionalData },
			{ httpRequest: toRequest(http, body), httpResponse: toResponse(http) },
		),
		mode,
		{
			httpMethod: 'POST',
			node: node.name,
			path: webhook.path,
			webhookDescription: webhook.description,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: call.additionalData,
		},
		[],
		data,
	);
	try {
		const result = await nodeType.webhook.call(context);
		return { workflowData: result.workflowData, reply: replyTo(result) };
	} catch {
		return { reply: refusal(500, 'Workflow Webhook Error: Workflow could not be started!') };
	}
}

/** Runs what a node does when its webhook is registered. Throws what the node throws. */
export async function createWebhook({
	workflow,
	node,
	mode,
	additionalData,
}: Pick<NodeCall, 'workflow' | 'node' | 'mode' | 'additionalData'>) {
	const { webhookMethods } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const context = new HookContext(workflow, node, additionalData, mode, 'activate');
	const exists = await webhookMethods?.default?.checkExists.call(context);
	if (exists !== true) await webhookMethods?.default?.create.call(context);
}

/** The immediate response to a call, whether it starts or resumes an execution or not: what the node says, else n8n's words. */
function replyTo({ workflowData, webhookResponse }: IWebhookResponseData): HttpReply {
	const message = workflowData === undefined ? 'Webhook call received' : 'Workflow was started';
	return { status: 200, body: webhookResponse ?? { message } };
}

/** The types that n8n parses. */
const PARSABLE = /^(application\/json|text\/plain|application\/x-www-form-urlencoded)|[/+]xml$/;

/** The body as n8n gives it to a node, which leaves one of any other type unread. Undefined if it can't be parsed. */
async function parseBody(request: IncomingMessage) {
	const [contentType = ''] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
	if (contentType === 'multipart/form-data') {
		await buffer(request);
		return { data: {}, files: {} };
	}
	if (!PARSABLE.test(contentType)) return {};
	await request.readRawBody();
	const text = request.rawBody.toString();
	if (contentType !== 'application/json' || text === '') return {};
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** The part of an Express request that nodes use. */
function toRequest({ request, query }: HttpCall, body: unknown): IncomingMessage {
	return Object.assign(request, { query: Object.fromEntries(query), params: {}, body });
}

type ExpressResponse = ServerResponse & {
	status: (code: number) => ExpressResponse;
	json: (value: unknown) => ExpressResponse;
};

/** The part of an Express response that nodes use. */
function toResponse({ response }: HttpCall): ExpressResponse {
	const express = Object.assign(response, {
		status: (code: number) => {
			response.statusCode = code;
			return express;
		},
		json: (value: unknown) => {
			response.setHeader('content-type', 'application/json; charset=utf-8');
			response.end(JSON.stringify(value));
			return express;
		},
	});
	return express;
}
