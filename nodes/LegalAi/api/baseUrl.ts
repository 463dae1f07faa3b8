const LOOPBACK_HOST = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const PRIVATE_ADDRESS =
	/^(0\.0\.0\.0|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|\[(::|f[cd]|fe[89ab]).*\])$/;
const PRIVATE_NAME = /^[^.[]+$|\.(local|internal|lan|home\.arpa)$/;

/** A Base URL that no key may be sent to. Its message says what is wrong with it and what to enter. */
export class BaseUrlRefused extends Error {}

/**
 * Reads the credential's Base URL: the versioned address of the service, ending in `/api/v1`.
 * Trailing slashes are dropped. Refused, before a key could leave for it: an address that is none, one
 * that is not https (loopback hosts aside), one with a log-in, a query or a climbing path in it.
 *
 * @throws {BaseUrlRefused} with a sentence for the person who filled in the credential
 */
export function parseBaseUrl(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (text === '') {
		throw new BaseUrlRefused("The credential has no 'Base URL'. Enter the address of the service, ending in /api/v1.");
	}

	const url = new URL(URL.canParse(text) ? text : 'nothing:');
	if (!['https:', 'http:'].includes(url.protocol)) {
		throw new BaseUrlRefused(
			"The 'Base URL' in the credential is not a web address. Enter it in full, e.g. https://legal-ai.example.com/api/v1.",
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new BaseUrlRefused(
			"The 'Base URL' in the credential holds a user name or password. Remove it: the service knows you by the API key.",
		);
	}
	if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
		throw new BaseUrlRefused(
			"The 'Base URL' in the credential begins with http://, which would show your API key to everybody on the way. Enter it with https://.",
		);
	}
	if (/(^|\/)(\.|%2e){1,2}(\/|$)/i.test(text) || url.search !== '' || url.hash !== '') {
		throw new BaseUrlRefused(
			"The 'Base URL' in the credential must be a plain address ending in /api/v1, without '..', '?' or '#' in it.",
		);
	}

	url.pathname = url.pathname.replace(/\/+$/, '');
	if (!url.pathname.endsWith('/api/v1')) {
		throw new BaseUrlRefused(
			"The 'Base URL' in the credential must end in /api/v1, e.g. https://legal-ai.example.com/api/v1.",
		);
	}
	return url;
}

/** Whether a URL's host (as `URL.hostname` gives it) is this machine itself. */
export function isLoopbackHost(hostname: string): boolean {
	return LOOPBACK_HOST.test(hostname);
}

/**
 * Whether a service can't send anything to `callbackUrl`, as far as addresses tell: it lies on this machine or in a
 * private network, and the service does not.
 */
export function isOutOfReach(callbackUrl: string, serviceUrl: string): boolean {
	return isPrivateHost(new URL(callbackUrl).hostname) && !isPrivateHost(new URL(serviceUrl).hostname);
}

function isPrivateHost(hostname: string): boolean {
	return isLoopbackHost(hostname) || PRIVATE_ADDRESS.test(hostname) || PRIVATE_NAME.test(hostname);
}
