import type { FastifyInstance } from 'fastify';

import type { FormFile } from '../../../harness/form.mts';
import { asRecord, asText } from '../../../harness/unknownJson.mts';
import { found } from './found.mts';
import type { Written } from './written.mts';

interface ByKey {
	Params: { key: string };
}

export const jiraHost = 'legal.atlassian.net';

/** Jira: keeps requests by their keys, each with a file, and reports new ones. */
export function addJira(app: FastifyInstance, written: Written[]) {
	const requests = new Map<string, { file: FormFile; status: unknown }>();
	const request = (key: string) => found(requests.get(key), `request ${key}`);
	/** Where new requests are reported. */
	let hook = '';
	const here = { constraints: { host: jiraHost } };

	const hooks = '/rest/webhooks/1.0/webhook';
	app.get(hooks, here, () => []);
	app.post(hooks, here, ({ body }) => {
		hook = asText(asRecord(body, 'A webhook').url, 'Its address');
		return { self: `https://${jiraHost}${hooks}/1` };
	});
	app.delete(`${hooks}/1`, here, () => ({}));

	app.get('/rest/api/2/issuetype', here, () => []);
	const issue = '/rest/api/:version/issue/:key';
	app.get<ByKey>(issue, here, ({ params: { key } }) => {
		const { fileName, contentType } = request(key).file;
		const content = `https://${jiraHost}/secure/attachment/${key}`;
		const attachment = [{ id: key, filename: fileName, mimeType: contentType, content }];
		return { key, fields: { attachment } };
	});
	app.post<ByKey>(`${issue}/comment`, here, ({ params: { key }, body }) => {
		const [, text = ''] = /"text":"([^"]*)"/.exec(JSON.stringify(body)) ?? [];
		written.push({ title: `Jira, ${key}`, to: key, text, files: [] });
		return {};
	});
	app.put<ByKey>(issue, here, () => ({}));
	app.post<ByKey>(`${issue}/transitions`, here, ({ params: { key }, body }) => {
		const { id } = asRecord(asRecord(body, 'A change').transition, 'Its transition');
		request(key).status = id;
		return {};
	});
	app.get<ByKey>('/secure/attachment/:key', here, async ({ params: { key } }, reply) => {
		const { content, contentType } = request(key).file;
		return await reply.type(contentType).send(content);
	});

	return {
		requests,
		/** Creates a request, and reports it. */
		create: async (key: string, file: FormFile) => {
			requests.set(key, { file, status: undefined });
			const fields = { summary: `May we sign ${key}?`, description: 'Please review.' };
			const body = JSON.stringify({ webhookEvent: 'jira:issue_created', issue: { key, fields } });
			const headers = { 'content-type': 'application/json' };
			expect((await fetch(hook, { method: 'POST', headers, body })).status).toBe(200);
		},
		/** Forgets all requests. */
		reset: () => {
			requests.clear();
		},
	};
}
