import { createServer } from 'node:http';

import { fastify } from 'fastify';

import { listenLocally } from '../../../harness/localServer.mts';
import { openTunnels } from '../n8n/companyProxy.mts';
import { addGoogle } from './google.mts';
import { addJira, jiraHost } from './jira.mts';
import { addMicrosoft } from './microsoft.mts';
import { addSlack, signatureSecret } from './slack.mts';
import type { Written } from './written.mts';

/** What OAuth2 credentials hold once somebody has logged in. */
const loggedIn = (token: string) => ({
	clientId: 'client',
	clientSecret: 'secret',
	oauthTokenData: { access_token: token, token_type: 'Bearer', expires_in: 3600 },
});

/** What n8n's credentials for the products hold, by type. The requests of a step are known by its token. */
export function productCredentials(token: string) {
	return {
		gmailOAuth2: loggedIn(token),
		googleDriveOAuth2Api: loggedIn(token),
		googleSheetsOAuth2Api: loggedIn(token),
		jiraSoftwareCloudApi: { email: token, apiToken: 'token', domain: `https://${jiraHost}` },
		microsoftOneDriveOAuth2Api: loggedIn(token),
		microsoftOutlookOAuth2Api: loggedIn(token),
		microsoftTeamsOAuth2Api: loggedIn(token),
		slackApi: { accessToken: token, signatureSecret },
	};
}

/** Stand-ins for the products that the examples work with. */
export type Products = Awaited<ReturnType<typeof startProducts>>;

/**
 * Starts the products that the examples work with, as far as n8n's nodes call them. The nodes know fixed addresses, so n8n reaches
 * these through a proxy that answers for every host.
 */
export async function startProducts() {
	const app = fastify({ forceCloseConnections: true });
	/** Routes that no request has come for, by their method and address. */
	const uncalled = new Set<string>();
	/** What the examples have written there, in order. */
	const written: Written[] = [];
	/** The items that are refused, by the token of the step that is to fail for them. */
	const refused = new Map<string, string>();
	const nameRoute = (method: string, url: string, host: unknown) =>
		`${method} ${String(host)}${url}`;
	app.addHook('onRoute', ({ method, url, constraints }) => {
		if (method !== 'HEAD') uncalled.add(nameRoute(String(method), url, constraints?.host));
	});
	// Some nodes send the content type of JSON and no content.
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		done(null, body === '' ? {} : JSON.parse(body.toString()));
	});
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
		done(null, body);
	});
	app.addHook('preHandler', async ({ method, host, url, headers, body, routeOptions }, reply) => {
		uncalled.delete(nameRoute(method, routeOptions.url ?? '', host));
		const [, token = ''] = /^\w+ (.*)/.exec(headers.authorization ?? '') ?? [];
		const [user = ''] = Buffer.from(token, 'base64').toString().split(':');
		const item = refused.get(token) ?? refused.get(user);
		const request = `${url} ${JSON.stringify(body)}`;
		const isOfOther = products.items.some((name) => name !== item && request.includes(name));
		if (item === undefined || (isOfOther && !request.includes(item))) return;
		await reply.code(403).send({ message: 'You have no access' });
	});
	const proxy = createServer();
	openTunnels(proxy, app.server);
	const port = await listenLocally(proxy);

	addSlack(app, written);
	const google = addGoogle(app, written);
	const jira = addJira(app, written);
	const microsoft = addMicrosoft(app, written);
	await app.ready();
	const products = {
		google,
		jira,
		microsoft,
		uncalled,
		written,
		refused,
		/** The items of a test, by their names. */
		items: [] as readonly string[],
		/** What n8n has to be started with to reach them. */
		environment: {
			HTTPS_PROXY: `http://127.0.0.1:${port}`,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_TLS_REJECT_UNAUTHORIZED: '0',
		},
		/** Forgets what happened in the test before. */
		reset: () => {
			written.length = 0;
			for (const product of [google, jira, microsoft]) product.reset();
		},
		close: async () => {
			proxy.close();
			await app.close();
		},
	};
	return products;
}
