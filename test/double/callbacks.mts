import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import { inJson } from './truth.mts';
import type { ServiceDescription } from './services.mts';

/** Sends one callback; resolves once it is answered, or the connection is over. */
export async function sendCallback(url: string, payload: unknown, { callbacks, json }: ServiceDescription, secret: string): Promise<void> {
	const body = Buffer.from(inJson(payload, json));
	const sent = callbacks.gzip ? gzipSync(body) : body;
	const headers: Record<string, string> = { 'Content-Type': callbacks.contentType };
	if (callbacks.gzip) headers['Content-Encoding'] = 'gzip';
	if (!callbacks.chunked) headers['Content-Length'] = String(sent.length);
	if (callbacks.signed) {
		const time = Math.floor(Date.now() / 1000) - callbacks.age;
		const signature = `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;
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
