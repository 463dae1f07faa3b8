import type { FastifyInstance } from 'fastify';

import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';

/** Jira: reports requests to whoever has registered a webhook, and keeps what it is told about them. */
export class Jira {
	readonly host = 'legal.atlassian.net';
	/** What n8n's Query Auth credential holds. */
	readonly secret = { name: 'key', value: 'a long random value' };
	/** Changes of requests, in order. */
	readonly told: { readonly call: string; readonly body: unknown }[] = [];
	isDown = false;
	#webhook: JsonRecord = {};

	constructor(app: FastifyInstance) {
		const constraints = { host: this.host };
		app.get('/rest/api/2/serverInfo', { constraints }, () => ({ deploymentType: 'Cloud' }));
		app.get('/rest/webhooks/1.0/webhook', { constraints }, () => []);
		app.post('/rest/webhooks/1.0/webhook', { constraints }, ({ body }) => {
			this.#webhook = asRecord(body, 'A webhook');
			return { self: `https://${this.host}/rest/webhooks/1.0/webhook/1` };
		});
		app.delete('/rest/webhooks/1.0/webhook/1', { constraints }, () => ({}));
		app.post<{ Params: { '*': string } }>('/rest/api/:version/issue/*', { constraints }, async ({ params, body }, reply) => {
			if (this.isDown) return await reply.code(503).send({});
			this.told.push({ call: params['*'], body });
			return {};
		});
		app.get('/rest/api/2/issuetype', { constraints }, () => []);
		app.put('/rest/api/2/issue/:key', { constraints }, () => ({}));
	}

	/** The JQL that the webhook was registered with. */
	get filter(): unknown {
		return this.#webhook.filters;
	}

	/** Reports an issue as created; without the secret in the address, if told so. */
	async report(issue: JsonRecord, isSecret = true): Promise<number> {
		const url = asText(this.#webhook.url, 'The address of the webhook');
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue });
		return (await fetch(isSecret ? url : url.replace(/\?.*/, ''), { method: 'POST', headers, body })).status;
	}
}
