import { createServer } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../sandbox/sandbox.mts';
import { credentialType } from '../../../harness/examples.mts';
import { readItems } from '../../../harness/executions.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { isRecord } from '../../../harness/unknownJson.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import { node } from '../../../harness/workflows.mts';
import { textWith } from '../../support/matchers.mts';
import { type Stage, test as base } from '../../support/n8n/fixtures.mts';
import { runByHand } from '../../support/n8n/parkedQuestions.mts';
import { toCredential } from '../../support/n8n/service.mts';
import { certificate, startSelfSigned } from '../../support/selfSigned.mts';

/**
 * The credential in n8n's HTTP Request node, which is what "Custom API Call" at the end of each list of operations leads to. Each
 * version of that node treats redirects in its own way.
 */

const { HttpRequest } = requireAsN8n(
	'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
) as {
	HttpRequest: new () => { nodeVersions: Record<string, unknown> };
};
const allVersions = Object.keys(new HttpRequest().nodeVersions).map(Number);
/** The oldest that people still have, and the newest: below 4.4, redirects are followed with the header unless a credential says no. */
const versions = [3, Math.max(...allVersions)];

interface Surroundings {
	/** Another service. */
	elsewhere: Sandbox;
	/** A proxy, and the addresses of what is sent through it. */
	proxy: { url: string; seen: string[] };
	/** A server whose certificate n8n does not trust. */
	selfSigned: Awaited<ReturnType<typeof startSelfSigned>>;
}

const test = base.extend<Surroundings>({
	elsewhere: async ({}, use) => {
		const service = await startSandbox();
		await use(service);
		await service.close();
	},
	proxy: [
		async ({}, use) => {
			const seen: string[] = [];
			const server = createServer(({ url = '' }, response) => {
				seen.push(url);
				response.end('{}');
			});
			await use({ url: `http://127.0.0.1:${await listenLocally(server)}`, seen });
			server.close().closeAllConnections();
		},
		{ scope: 'file' },
	],
	selfSigned: [
		async ({}, use) => {
			const selfSigned = await startSelfSigned();
			await use(selfSigned);
			selfSigned.server.close().closeAllConnections();
		},
		{ scope: 'file' },
	],
});

/** Sends requests one after the other, and returns what comes out of each: the response, or the message of its error. */
async function send(
	{ n8n, credential }: Pick<Stage, 'n8n' | 'credential'>,
	typeVersion: number,
	requests: INodeParameters[],
	keys: StoredCredential[] = [],
) {
	const authentication = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credentialType,
	};
	const authority = await n8n.createCredential('httpSslAuth', 'Any authority', { ca: certificate });
	const nodes = requests.map((request, index) =>
		node(
			`Request ${index}`,
			'n8n-nodes-base.httpRequest',
			{ ...authentication, ...request },
			{
				typeVersion,
				credentials: { [credentialType]: keys[index] ?? credential, httpSslAuth: authority },
				onError: 'continueRegularOutput',
			},
		),
	);
	const execution = await runByHand(n8n, ...nodes);
	return nodes.map((each) => {
		const { error, ...response } = readItems(execution, each.name)[0]?.json ?? {};
		return isRecord(error) ? error.message : response;
	});
}

function rejected(service: Sandbox, url: string) {
	return `The API key in this credential is sent only to ${service.origin}, not to ${new URL(url).origin}.`;
}

describe.each(versions)('the credential in HTTP Request %s', (version) => {
	test('sends the API key to the service', async ({ n8n, service, credential }) => {
		service.tasks.seed(3);
		const [page, created] = await send({ n8n, credential }, version, [
			{ url: `${service.baseUrl}/tasks?limit=2` },
			{
				url: `${service.baseUrl}/tasks`,
				method: 'POST',
				sendBody: true,
				bodyParameters: { parameters: [{ name: 'title', value: 'NDA' }] },
			},
		]);
		expect(page).toMatchObject({ tasks: [{}, {}] });
		expect(created).toMatchObject({ title: 'NDA' });
	});

	test('rejects another origin in its own words before anything is sent', async ({
		n8n,
		service,
		elsewhere,
		credential,
	}) => {
		const { origin } = service;
		const another = `${elsewhere.baseUrl}/me`;
		const others = [
			another,
			another.replace('http://', `${origin}@`),
			origin.replace('http:', 'https:'),
			origin.replace('127.0.0.1', 'localhost'),
		];
		expect(
			await send(
				{ n8n, credential },
				version,
				others.map((url) => ({ url })),
			),
		).toEqual(others.map((url) => rejected(service, url)));
		expect([...elsewhere.requests, ...service.requests]).toEqual([]);
	});

	const settings: Record<string, INodeParameters> = {
		'its own settings': {},
		'redirects turned on': {
			redirect: { redirect: { followRedirects: true, maxRedirects: 5 } },
			sendCredentialsOnCrossOriginRedirect: true,
		},
	};
	test.for(Object.entries(settings))(
		'follows no redirect to another origin, with %s',
		async ([, options], { n8n, service, elsewhere, credential }) => {
			const statuses = [301, 302, 303, 307, 308];
			const requests = ['GET', 'POST'].flatMap((method) =>
				statuses.map((status) => ({ method, status })),
			);
			for (const { status } of requests)
				service.faults.add({ kind: 'redirect', status, location: `${elsewhere.baseUrl}/me` });
			const outputs = await send(
				{ n8n, credential },
				version,
				requests.map(({ method }) => ({ method, url: `${service.baseUrl}/me`, options })),
			);
			expect(service.requests.map(({ method, status }) => ({ method, status }))).toEqual(requests);
			expect(outputs).toEqual(requests.map(({ status }) => `${status} - ""`));
			expect(elsewhere.requests).toEqual([]);
		},
	);

	test('rejects a next page at another origin', async ({ n8n, service, elsewhere, credential }) => {
		const nextURL = `={{ $pageCount === 0 ? '${service.baseUrl}/me' : '${elsewhere.baseUrl}/me' }}`;
		const pagination = {
			paginationMode: 'responseContainsNextURL',
			nextURL,
			paginationCompleteWhen: 'responseIsEmpty',
		};
		expect(
			await send({ n8n, credential }, version, [
				{ url: `${service.baseUrl}/me`, options: { pagination: { pagination } } },
			]),
		).toEqual([rejected(service, elsewhere.baseUrl)]);
		expect(service.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
	});
});

test.for(versions)(
	'HTTP Request %s sends nothing with an option through which somebody could read the API key, and names the option',
	async (version, { n8n, service, credential, proxy, selfSigned }) => {
		const ofSelfSigned = await n8n.createCredential(credentialType, 'Self-signed', {
			...toCredential(service),
			baseUrl: `${selfSigned.origin}/api/v1`,
		});
		const path = '/api/v1/me';
		const anyCertificate = { allowUnauthorizedCerts: true };
		const requests: [option: string, key: StoredCredential, INodeParameters][] = [
			['Proxy', credential, { url: service.origin + path, options: { proxy: proxy.url } }],
			[
				'Ignore SSL Issues (Insecure)',
				ofSelfSigned,
				{ url: selfSigned.origin + path, ...anyCertificate, options: anyCertificate },
			],
			[
				'SSL Certificates',
				ofSelfSigned,
				{ url: selfSigned.origin + path, provideSslCertificates: true },
			],
		];
		const outputs = await send(
			{ n8n, credential },
			version,
			requests.map(([, , parameters]) => parameters),
			requests.map(([, key]) => key),
		);
		expect([proxy.seen, selfSigned.requests(), service.requests]).toEqual([[], 0, []]);
		expect(outputs).toEqual(
			requests.map(([option]) => textWith(`is not sent if a node sets "${option}"`)),
		);
	},
);
