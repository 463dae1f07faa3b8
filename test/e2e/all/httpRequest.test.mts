import { createServer } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import { credentialType } from '../../../harness/examples.mts';
import { itemsOf } from '../../../harness/executions.mts';
import { listenLocally } from '../../../harness/localServer.mts';
import type { StoredCredential } from '../../../harness/n8nClient.mts';
import { isRecord } from '../../../harness/unknownJson.mts';
import { requireAsN8n } from '../../../harness/versions.mts';
import { node } from '../../../harness/workflows.mts';
import { textWith } from '../../support/matchers.mts';
import { runByHand } from '../../support/n8n/parkedQuestions.mts';
import { keyOf, serviceOfThisFile } from '../../support/n8n/service.mts';
import { sandboxForTests } from '../../support/sandboxForTests.mts';
import { certificate, startSelfSigned } from '../../support/selfSigned.mts';

/**
 * The credential in n8n's HTTP Request node, which is what "Custom API Call" at the end of each list of operations leads to. Each
 * version of that node treats redirects in its own way.
 */
const { n8n, sandbox, credential } = await serviceOfThisFile();
const elsewhere = await sandboxForTests();

const { HttpRequest } = requireAsN8n(
	'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
) as {
	HttpRequest: new () => { nodeVersions: Record<string, unknown> };
};
const allVersions = Object.keys(new HttpRequest().nodeVersions).map(Number);
/** The oldest that people still have, and the newest: below 4.4, redirects are followed with the header unless a credential says no. */
const versions = [3, Math.max(...allVersions)];

/** A proxy, and what is sent through it; a server whose certificate n8n does not trust. */
const seenByProxy: string[] = [];
const proxy = createServer(({ url = '' }, response) => {
	seenByProxy.push(url);
	response.end('{}');
});
const proxyUrl = `http://127.0.0.1:${await listenLocally(proxy)}`;
const selfSigned = await startSelfSigned();
afterAll(() => {
	for (const server of [proxy, selfSigned.server]) server.close().closeAllConnections();
});

const ofSelfSigned = await n8n.createCredential(credentialType, 'Self-signed', {
	...keyOf(sandbox),
	baseUrl: `${selfSigned.origin}/api/v1`,
});
const authority = await n8n.createCredential('httpSslAuth', 'Any authority', { ca: certificate });

/** Sends requests one after the other, and returns what comes out of each: the response, or the message of its error. */
async function send(
	typeVersion: number,
	requests: INodeParameters[],
	keys: StoredCredential[] = [],
) {
	const authentication = {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credentialType,
	};
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
		const { error, ...response } = itemsOf(execution, each.name)[0]?.json ?? {};
		return isRecord(error) ? error.message : response;
	});
}

function rejected(url: string) {
	return `The API key in this credential is sent only to ${sandbox.origin}, not to ${new URL(url).origin}.`;
}

describe.each(versions)('the credential in HTTP Request %s', (version) => {
	test('sends the API key to the service', async () => {
		sandbox.tasks.seed(3);
		const [page, created] = await send(version, [
			{ url: `${sandbox.baseUrl}/tasks?limit=2` },
			{
				url: `${sandbox.baseUrl}/tasks`,
				method: 'POST',
				sendBody: true,
				bodyParameters: { parameters: [{ name: 'title', value: 'NDA' }] },
			},
		]);
		expect(page).toMatchObject({ tasks: [{}, {}] });
		expect(created).toMatchObject({ title: 'NDA' });
	});

	test('rejects another origin in its own words before anything is sent', async () => {
		const { origin } = sandbox;
		const another = `${elsewhere.baseUrl}/me`;
		const others = [
			another,
			another.replace('http://', `${origin}@`),
			origin.replace('http:', 'https:'),
			origin.replace('127.0.0.1', 'localhost'),
		];
		expect(
			await send(
				version,
				others.map((url) => ({ url })),
			),
		).toEqual(others.map(rejected));
		expect([...elsewhere.requests, ...sandbox.requests]).toEqual([]);
	});

	const settings: Record<string, INodeParameters> = {
		'its own settings': {},
		'redirects turned on': {
			redirect: { redirect: { followRedirects: true, maxRedirects: 5 } },
			sendCredentialsOnCrossOriginRedirect: true,
		},
	};
	test.each(Object.entries(settings))(
		'follows no redirect to another origin, with %s',
		async (_, options) => {
			const statuses = [301, 302, 303, 307, 308];
			const requests = ['GET', 'POST'].flatMap((method) =>
				statuses.map((status) => ({ method, status })),
			);
			for (const { status } of requests)
				sandbox.faults.add({ kind: 'redirect', status, location: `${elsewhere.baseUrl}/me` });
			const outputs = await send(
				version,
				requests.map(({ method }) => ({ method, url: `${sandbox.baseUrl}/me`, options })),
			);
			expect(sandbox.requests.map(({ method, status }) => ({ method, status }))).toEqual(requests);
			expect(outputs).toEqual(requests.map(({ status }) => `${status} - ""`));
			expect(elsewhere.requests).toEqual([]);
		},
	);

	test('rejects a next page at another origin', async () => {
		const nextURL = `={{ $pageCount === 0 ? '${sandbox.baseUrl}/me' : '${elsewhere.baseUrl}/me' }}`;
		const pagination = {
			paginationMode: 'responseContainsNextURL',
			nextURL,
			paginationCompleteWhen: 'responseIsEmpty',
		};
		expect(
			await send(version, [
				{ url: `${sandbox.baseUrl}/me`, options: { pagination: { pagination } } },
			]),
		).toEqual([rejected(elsewhere.baseUrl)]);
		expect(sandbox.requests).toHaveLength(1);
		expect(elsewhere.requests).toEqual([]);
	});
});

test.each(versions)(
	'HTTP Request %s sends nothing with an option through which somebody could read the API key, and names the option',
	async (version) => {
		const path = '/api/v1/me';
		const anyCertificate = { allowUnauthorizedCerts: true };
		const requests: [option: string, key: StoredCredential, INodeParameters][] = [
			['Proxy', credential, { url: sandbox.origin + path, options: { proxy: proxyUrl } }],
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
			version,
			requests.map(([, , parameters]) => parameters),
			requests.map(([, key]) => key),
		);
		expect([seenByProxy, selfSigned.requests(), sandbox.requests]).toEqual([[], 0, []]);
		expect(outputs).toEqual(
			requests.map(([option]) => textWith(`is not sent if a node sets "${option}"`)),
		);
	},
);
