import type { IHttpRequestOptions, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { listSearch } from '../../../nodes/LegalAi/listSearch/index.ts';

/** What a service answers to a request for a path, e.g. `/tasks`. */
export type Respond = (path: string) => { status?: number; headers?: Record<string, string>; body: unknown };

/** The editor of a user whose key is for a service that is made up, and what the lists have asked that service for. */
export function editorOf(respond: Respond): {
	search: (method: string, filter?: string) => Promise<INodeListSearchResult>;
	requests: URL[];
} {
	const basePath = '/api/v1';
	const requests: URL[] = [];
	const context = {
		getCredentials: async () => await Promise.resolve({ baseUrl: `https://legal-ai.example.com${basePath}`, apiKey: 'sk-svc-api1-1' }),
		getNode: () => ({ id: 'n', name: 'Legal AI', type: 'n8n-nodes-legal-ai.legalAi', typeVersion: 1, position: [0, 0], parameters: {} }),
		helpers: {
			httpRequestWithAuthentication: async (_credential: string, options: IHttpRequestOptions): Promise<unknown> => {
				const url = new URL(options.url);
				requests.push(url);
				const { status = 200, headers = {}, body } = respond(url.pathname.slice(basePath.length));
				return await Promise.resolve({ statusCode: status, headers, body: JSON.stringify(body) });
			},
		},
	} as unknown as ILoadOptionsFunctions;
	const search = async (method: string, filter?: string): Promise<INodeListSearchResult> => {
		const found = listSearch[method];
		if (found === undefined) throw new Error(`There is no list ${method}`);
		return await found.call(context, filter);
	};
	return { search, requests };
}
