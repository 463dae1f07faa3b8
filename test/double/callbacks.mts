import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { serviceSignature } from '../sandbox/signature.mts';
import type { ServiceDescription } from './services.mts';

/** Sends one callback; resolves once it is answered, or the connection is over. */
export async function sendCallback(url: string, payload: unknown, { callbacks, json }: ServiceDescription, secret: string): Promise<void> {
	const body = json.pretty ? `${JSON.stringify(payload, null, 2)}\n` : JSON.stringify(payload);
	const sent = callbacks.gzip ? gzipSync(body) : Buffer.from(body);
	const headers: Record<string, string> = { 'Content-Type': callbacks.contentType };
	if (callbacks.gzip) headers['Content-Encoding'] = 'gzip';
	if (!callbacks.chunked) headers['Content-Length'] = String(sent.length);
	if (callbacks.signed) {
		const signature = serviceSignature(secret, Math.floor(Date.now() / 1000) - callbacks.age, body);
		headers[callbacks.header] = callbacks.spaceAround ? `  ${signature} ` : signature;
	}
	await new Promise<void>((resolve) => {
		const call = request(url, { method: 'POST', headers }, (response) => {
			response.resume().once('close', resolve);
		});
		call.once('error', () => {
			resolve();
		});
		call.end(sent);
	});
}
