import { randomUUID } from 'node:crypto';

import type { IConnections, IDataObject, INode } from 'n8n-workflow';

import type { StoredCredential } from '../../harness/n8nClient.mts';
import { node } from '../../harness/workflows.mts';

/** Where n8n's own nodes find the service, and the header with its key. */
export interface Access {
	readonly baseUrl: string;
	readonly header: StoredCredential;
}

/** n8n's HTTP Request node with the key of an account, below its base URL. */
export function httpRequest(
	name: string,
	{ baseUrl, header }: Access,
	path: string,
	parameters: IDataObject = {},
): INode {
	return node(
		name,
		'n8n-nodes-base.httpRequest',
		{
			url: path.startsWith('=') ? `=${baseUrl}${path.slice(1)}` : baseUrl + path,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			options: {},
			...parameters,
		} as INode['parameters'],
		{ typeVersion: 4.2, credentials: { httpHeaderAuth: { id: header.id, name: header.name } } },
	);
}

/** A POST of a body that an expression makes. */
export function posted(jsonBody: string): IDataObject {
	return { method: 'POST', sendBody: true, specifyBody: 'json', jsonBody };
}

/** Every task as an item: HTTP Request walks the pages, Split Out makes items. */
export function allTasks(access: Access): INode[] {
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: {
			parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next_cursor }}' }],
		},
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.next_cursor }}',
	};
	return [
		httpRequest('Pages', access, '/tasks?limit=100', { options: { pagination: { pagination } } }),
		node('Split Out', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'tasks', options: {} }),
	];
}

/** Asks one question, and waits for the callback: the Wait node resumes on whatever is posted to it. */
export function askAndWait(access: Access): INode[] {
	const body =
		'={{ JSON.stringify({ question: "May we sign?", callback_url: $execution.resumeUrl }) }}';
	return [
		httpRequest('Ask', access, QUESTIONS, posted(body)),
		wait({ resume: 'webhook', httpMethod: 'POST' }),
	];
}

/** Asks a question an item, and looks at those still open every so many seconds until all are answered. */
export function askAndPoll(
	access: Access,
	seconds: number,
	session = '$json.session',
): { nodes: INode[]; connections: IConnections } {
	const answered = {
		leftValue: '={{ $json.status }}',
		rightValue: 'in_progress',
		operator: { type: 'string', operation: 'notEquals' },
	};
	const conditions = {
		combinator: 'and',
		conditions: [answered],
		options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
	};
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return {
		nodes: [
			httpRequest(
				'Ask',
				access,
				QUESTIONS,
				posted(
					`={{ JSON.stringify({ question: "Question " + $itemIndex, session_id: ${session} }) }}`,
				),
			),
			waitFor(seconds),
			httpRequest('Look', access, `=${QUESTIONS}/{{ $json.id }}`),
			node('Answered', 'n8n-nodes-base.if', { conditions, options: {} }, { typeVersion: 2.2 }),
			node('Done', 'n8n-nodes-base.noOp', {}),
		],
		connections: { Answered: { main: [to('Done'), to('Wait')] } },
	};
}

const QUESTIONS = '/assistants/default/questions';

/** n8n's Wait node, for so many seconds. */
export function waitFor(seconds: number): INode {
	return wait({ resume: 'timeInterval', amount: seconds, unit: 'seconds' });
}

function wait(parameters: IDataObject): INode {
	return node(
		'Wait',
		'n8n-nodes-base.wait',
		{ options: {}, ...parameters } as INode['parameters'],
		{ typeVersion: 1.1, webhookId: randomUUID() },
	);
}
