import { credentialMessages, invalidInput } from '../messages';
import { reachOf } from './reach';

/**
 * Reads the credential's Base URL: the versioned address of the service, ending in `/api/v1`. Trailing slashes are
 * dropped. Before a key could be sent there, this rejects what is not an address, is not https (except on a loopback host), or
 * contains a login, a query or `..`.
 *
 * @throws {InvalidInputError}
 */
export function parseBaseUrl(baseUrl: unknown): URL {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (text === '') throw invalidInput(credentialMessages.baseUrlEmpty);
	if (!URL.canParse(text)) throw invalidInput(credentialMessages.baseUrlNotAddress);
	const url = new URL(text);
	const { protocol, username, password, hostname, search, hash } = url;
	if (!['https:', 'http:'].includes(protocol))
		throw invalidInput(credentialMessages.baseUrlNotAddress);
	if (protocol === 'http:' && reachOf(hostname) !== 'loopback')
		throw invalidInput(credentialMessages.baseUrlUnencrypted);
	const isPlain =
		[username, password, search, hash].every((part) => part === '') &&
		!/\/(\.|%2e){1,2}(\/|$)/i.test(text);
	if (!isPlain) throw invalidInput(credentialMessages.baseUrlNotPlain);
	url.pathname = url.pathname.replace(/\/+$/, '');
	if (!url.pathname.endsWith('/api/v1')) throw invalidInput(credentialMessages.baseUrlPath);
	return url;
}
