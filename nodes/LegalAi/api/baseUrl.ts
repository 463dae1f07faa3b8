import { credentialMessages } from '../messages/credentialMessages';
import { fillTemplate, InvalidInputError } from '../messages/template';
import { reachOf } from './reach';

/**
 * Reads the credential's Base URL: the versioned address of the service, ending in `/api/v1`. Trailing slashes are
 * dropped. Before a key could be sent there, this rejects
 * what is not an address, is not https (except on a loopback host), or contains a login, a query or `..`.
 *
 * @throws {InvalidInputError}
 */
export function parseBaseUrl(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (text === '') throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlEmpty));

	const url = new URL(URL.canParse(text) ? text : 'nothing:');
	if (!['https:', 'http:'].includes(url.protocol)) {
		throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlNotAddress));
	}
	if (url.username !== '' || url.password !== '') {
		throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlWithLogin));
	}
	if (url.protocol === 'http:' && reachOf(url.hostname) !== 'loopback') {
		throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlUnencrypted));
	}
	if (/\/(\.|%2e){1,2}(\/|$)/i.test(text) || url.search !== '' || url.hash !== '') {
		throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlNotPlain));
	}

	url.pathname = url.pathname.replace(/\/+$/, '');
	if (!url.pathname.endsWith('/api/v1')) throw new InvalidInputError(fillTemplate(credentialMessages.baseUrlPath));
	return url;
}
