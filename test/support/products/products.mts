import { createServer, type Server } from 'node:http';

import { fastify, type FastifyInstance } from 'fastify';

import { listenLocally } from '../../../harness/localServer.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { openTunnels } from '../n8n/companyProxy.mts';
import { Google } from './google.mts';
import { Hubspot } from './hubspot.mts';
import { Jira } from './jira.mts';
import { Microsoft } from './microsoft.mts';
import { Slack } from './slack.mts';

/** What OAuth2 credentials hold once somebody has logged in. */
const loggedIn = {
	clientId: 'client',
	clientSecret: 'secret',
	oauthTokenData: { access_token: 'token', token_type: 'Bearer', expires_in: 3600 },
};

/**
 * The products that the examples work with, as far as n8n's nodes call them. The nodes know fixed addresses, so n8n reaches
 * these through a proxy that answers for every host.
 */
export class Products {
	readonly #app: FastifyInstance = fastify({
		forceCloseConnections: true,
		bodyLimit: 8 * 1024 * 1024,
	});
	google = new Google(this.#app);
	hubspot = new Hubspot(this.#app);
	jira = new Jira(this.#app);
	microsoft = new Microsoft(this.#app);
	slack = new Slack(this.#app);
	readonly #proxy: Server = createServer();
	#refusals: { address: RegExp; status: number; times: number }[] = [];
	#port = 0;

	/** Starts them for the tests of a file. */
	static async ofThisFile(): Promise<Products> {
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
		this.#app.addHook('onRequest', async ({ method, host, url }, reply) => {
			const refusal = this.#refusals.find(
				({ address, times }) => times > 0 && address.test(`${method} ${host}${url}`),
			);
			if (refusal === undefined) return;
			refusal.times -= 1;
			await reply.code(refusal.status).send({ message: 'Not now' });
		});
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

	/** What n8n's credentials for them hold, by type. */
	get credentials(): Record<string, Record<string, unknown>> {
		return {
			gmailOAuth2: loggedIn,
			googleDriveOAuth2Api: loggedIn,
			googleSheetsOAuth2Api: loggedIn,
			hubspotAppToken: { appToken: 'pat-na1-token' },
			jiraSoftwareCloudApi: {
				email: 'legal@example.com',
				apiToken: 'token',
				domain: `https://${this.jira.host}`,
			},
			microsoftOAuth2Api: loggedIn,
			microsoftOutlookOAuth2Api: loggedIn,
			microsoftTeamsOAuth2Api: loggedIn,
			slackApi: this.slack.credential,
		};
	}

	/** Has requests such as `POST slack.com/api/chat.postMessage` fail, so many times, or until {@link acceptAll}. */
	refuse(address: RegExp, status: number, times = Infinity): void {
		this.#refusals.push({ address, status, times });
	}

	/** Everything works again. */
	acceptAll(): void {
		this.#refusals = [];
	}

	/** Everything works again, and what happened in the test before is forgotten. */
	reset(): void {
		this.acceptAll();
		for (const product of [this.google, this.hubspot, this.jira, this.microsoft, this.slack])
			product.reset();
	}
}
