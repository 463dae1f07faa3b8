import { randomUUID } from 'node:crypto';

import type { IDataObject, INode } from 'n8n-workflow';

import type { StoredCredential } from '../../harness/n8nClient.mts';
import { node } from '../../harness/workflows.mts';

/** Where n8n's own nodes find the service, and the header with its key. */
interface Access {
	baseUrl: string;
	header: StoredCredential;
}

/** n8n's HTTP Request node with the key of an account, below its base URL. */
export function httpRequest(
	name: string,
	{ baseUrl, header }: Access,
	path: string,
	parameters: IDataObject = {},
) {
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
		{ typeVersion: 4.2, credentials: httpHeaderAuth(header) },
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

/** Asks one question, and waits for the callback: the Wait node resumes on whatever is posted to it with the token in a header. */
export function askAndWait(access: Access, token: StoredCredential): INode[] {
	const body =
		'={{ JSON.stringify({ question: "May we sign?", callback_url: $execution.resumeUrl }) }}';
	return [
		httpRequest('Ask', access, QUESTIONS, posted(body)),
		node(
			'Wait',
			'n8n-nodes-base.wait',
			{ options: {}, resume: 'webhook', httpMethod: 'POST', incomingAuthentication: 'headerAuth' },
			{ typeVersion: 1.1, webhookId: randomUUID(), credentials: httpHeaderAuth(token) },
		),
	];
}

const QUESTIONS = '/assistants/default/questions';

/** How a node refers to a credential with a header. */
export function httpHeaderAuth({ id, name }: StoredCredential): INode['credentials'] {
	return { httpHeaderAuth: { id, name } };
}
