import { createServer, type Server } from 'node:http';

import { fastify, type FastifyInstance } from 'fastify';

import { listenLocally } from '../../../harness/localServer.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { openTunnels } from '../n8n/companyProxy.mts';
import { Google } from './google.mts';
import { Jira } from './jira.mts';
import { Microsoft } from './microsoft.mts';
import { Slack } from './slack.mts';

/** What OAuth2 credentials hold once somebody has logged in. */
const loggedIn = (token: string) => ({
	clientId: 'client',
	clientSecret: 'secret',
	oauthTokenData: { access_token: token, token_type: 'Bearer', expires_in: 3600 },
});

/**
 * The products that the examples work with, as far as n8n's nodes call them. The nodes know fixed addresses, so n8n reaches
 * these through a proxy that answers for every host.
 */
export class Products {
	readonly #app: FastifyInstance = fastify({ forceCloseConnections: true });
	/** Routes that no request has come for, by their method and address. */
	uncalled = new Set<string>();
	/** The items of a test, by their names. */
	items: readonly string[] = [];
	/** The items that are refused, by the token of the step that is to fail for them. */
	refused = new Map<string, string>();
	readonly #proxy: Server = createServer();
	#port = 0;
	google: Google;
	jira: Jira;
	microsoft: Microsoft;
	slack: Slack;

	/** Starts them for the tests of a file. */
	static async ofThisFile() {
		const products = new Products();
		products.#port = await listenLocally(products.#proxy);
		afterAll(async () => {
			products.#proxy.close();
			await products.#app.close();
		});
		await products.#app.ready();
		return products;
	}

	private constructor() {
		const nameOf = (method: string, url: string, host: unknown) =>
			`${method} ${String(host)}${url}`;
		this.#app.addHook('onRoute', ({ method, url, constraints }) => {
			if (method !== 'HEAD') this.uncalled.add(nameOf(String(method), url, constraints?.host));
		});
		// Some nodes send the content type of JSON and no content.
		this.#app.addContentTypeParser(
			'application/json',
			{ parseAs: 'string' },
			(_request, body, done) => {
				done(null, body === '' ? {} : JSON.parse(body.toString()));
			},
		);
		this.#app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
			done(null, body);
		});
		this.#app.addHook(
			'preHandler',
			async ({ method, host, url, headers, body, routeOptions }, reply) => {
				this.uncalled.delete(nameOf(method, routeOptions.url ?? '', host));
				const [, token = ''] = /^\w+ (.*)/.exec(headers.authorization ?? '') ?? [];
				const [user = ''] = Buffer.from(token, 'base64').toString().split(':');
				const item = this.refused.get(token) ?? this.refused.get(user);
				const request = `${url} ${JSON.stringify(body)}`;
				const isOfOther = this.items.some((name) => name !== item && request.includes(name));
				if (item === undefined || (isOfOther && !request.includes(item))) return;
				await reply.code(403).send({ message: 'You have no access' });
			},
		);
		this.google = new Google(this.#app);
		this.jira = new Jira(this.#app);
		this.microsoft = new Microsoft(this.#app);
		this.slack = new Slack(this.#app);
		openTunnels(this.#proxy, this.#app.server);
	}

	/** What n8n has to be started with to reach them. */
	get environment(): Environment {
		return {
			HTTPS_PROXY: `http://127.0.0.1:${this.#port}`,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_TLS_REJECT_UNAUTHORIZED: '0',
		};
	}

	/** What n8n's credentials for them hold, by type. The requests of a step are known by its token. */
	credentials(token: string): Record<string, Record<string, unknown>> {
		return {
			gmailOAuth2: loggedIn(token),
			googleDriveOAuth2Api: loggedIn(token),
			googleSheetsOAuth2Api: loggedIn(token),
			jiraSoftwareCloudApi: {
				email: token,
				apiToken: 'token',
				domain: `https://${this.jira.host}`,
			},
			microsoftOneDriveOAuth2Api: loggedIn(token),
			microsoftOutlookOAuth2Api: loggedIn(token),
			microsoftTeamsOAuth2Api: loggedIn(token),
			slackApi: { ...this.slack.credential, accessToken: token },
		};
	}

	/** Forgets what happened in the test before. */
	reset() {
		for (const product of [this.google, this.jira, this.microsoft, this.slack]) product.reset();
	}
}
