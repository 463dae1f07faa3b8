import type { ErrorKind } from '../../../nodes/LegalAi/api/errors.ts';
import type { FaultEffect } from '../../sandbox/faults.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';

/** Addresses that lead nowhere good, for faults that are not the service's own. */
export interface Elsewhere {
	/** Of a server with a certificate that nobody has vouched for. */
	selfSigned: string;
	/** Where nothing listens. */
	closed: string;
	/** Of another server, to which the service redirects. */
	other: string;
}

/** One thing that can go wrong with a request, every time that it is sent. */
export interface FaultCase {
	name: string;
	/** What it is taken for: the retry policy follows from it. */
	kind: ErrorKind;
	/** The HTTP status that the person is told. */
	httpCode?: number;
	/** What it does to the service's answer; or the address that the credential leads to. */
	effect: (service: Sandbox, elsewhere: Elsewhere) => FaultEffect | { baseUrl: string };
	/** Whether it never reaches the service, as the credential leads elsewhere. */
	unsent?: boolean;
	/** Whether the service carries the request out all the same. */
	carriedOut?: boolean;
	/** Whether a pause is waited out that the service asks for. */
	pauses?: boolean;
	/** Whether it is an answer of the API, which a file store does not give; or one that only JSON can be spoiled by. */
	ofApi?: boolean;
}

/** What the service says in these tests, to be told from the node's own words. */
export const SERVICE_WORDS = 'In the words of the service.';

/** Signs the addresses that some of these answers show. */
export const LEAKED_SIGNATURE = 'leaked-signature';

const errorBody = (error_code: string) => ({
	error_code,
	svc_api_error_code: error_code,
	message: SERVICE_WORDS,
});

const refused = (httpCode: number, code: string): FaultCase => ({
	name: `${httpCode} ${code}`,
	kind: 'rejected',
	httpCode,
	ofApi: true,
	effect: () => ({ status: httpCode, body: errorBody(code) }),
});

const throttled = (name: string, headers?: Record<string, string>): FaultCase => ({
	name: `429, Retry-After ${name}`,
	kind: 'rateLimited',
	httpCode: 429,
	ofApi: true,
	effect: () => ({ status: 429, body: errorBody('rate_limit_exceeded'), headers }),
});

const serverFault = (httpCode: number): FaultCase => ({
	name: String(httpCode),
	kind: 'outcomeUnknown',
	httpCode,
	effect: () => ({ status: httpCode, body: errorBody('internal_error') }),
});

const interrupted = (name: string, effect: FaultEffect): FaultCase => ({
	name,
	kind: 'outcomeUnknown',
	effect: () => effect,
});

const nonsense = (name: string, body: string | ((body: string) => string)): FaultCase => ({
	name,
	kind: 'invalidResponse',
	httpCode: 200,
	carriedOut: true,
	ofApi: true,
	effect: () => ({ kind: 'body', body }),
});

const misdirected = (name: string, kind: ErrorKind, to: keyof Elsewhere): FaultCase => ({
	name,
	kind,
	unsent: true,
	effect: (_service, elsewhere) => ({ baseUrl: `${elsewhere[to]}/api/v1` }),
});

/** Everything that can go wrong with a request. */
export const FAULTS: readonly FaultCase[] = [
	refused(400, 'invalid_request_body'),
	refused(400, 'a_code_of_tomorrow'),
	refused(401, 'unauthorized'),
	refused(403, 'forbidden'),
	refused(404, 'resource_not_found'),
	{
		...refused(401, 'unauthorized'),
		name: '401 in the other shape of /me',
		effect: () => ({ status: 401, body: { error: 'Invalid API key', status: 401 } }),
	},
	{
		...refused(403, 'forbidden'),
		name: 'HTML 403 from a proxy',
		effect: (service) => ({ status: 403, body: proxyPage(service) }),
	},
	{
		name: 'redirect to another origin',
		kind: 'redirected',
		httpCode: 307,
		ofApi: true,
		effect: (_service, { other }) => ({
			kind: 'redirect',
			location: `${other}/api/v1/me?signature=${LEAKED_SIGNATURE}`,
		}),
	},
	{ ...throttled('in seconds', { 'retry-after': '20' }), pauses: true },
	{ ...throttled('absent'), pauses: true },
	throttled('an hour', { 'retry-after': '3600' }),
	serverFault(500),
	serverFault(408),
	{
		...serverFault(502),
		name: 'HTML 502 from a proxy',
		effect: (service) => ({ status: 502, body: proxyPage(service) }),
	},
	// A file store that does not answer: test/engine/endlessResponses.
	{ ...interrupted('no answer in time', { kind: 'hang' }), ofApi: true },
	interrupted('reset before it is read', { kind: 'reset', when: 'unread' }),
	{
		...interrupted('reset once it was handled', { kind: 'reset', when: 'handled' }),
		carriedOut: true,
	},
	{
		...interrupted("cut half through the answer's body", { kind: 'cut' }),
		carriedOut: true,
	},
	nonsense('empty body', ''),
	nonsense('half of the JSON', (body) => body.slice(0, body.length / 2)),
	nonsense('a JSON number', '42'),
	{
		...nonsense('HTML 200 from a proxy', ''),
		effect: (service) => ({
			kind: 'body',
			body: proxyPage(service),
			contentType: 'text/html',
		}),
	},
	misdirected('a connection refused', 'connectionFailed', 'closed'),
	misdirected('a certificate nobody vouches for', 'tlsFailed', 'selfSigned'),
];

/** A page of something in between, which shows the request that it did not let through. */
function proxyPage({ apiKey, origin }: Sandbox) {
	return `<!doctype html><html><head><title>Gateway</title><style>body { margin: 0 }</style></head><body>
		<h1>The gateway stands in between</h1><p>Authorization: Bearer ${apiKey}</p>
		<p>${origin}/storage/x?expires=1&signature=${LEAKED_SIGNATURE}</p></body></html>`;
}
