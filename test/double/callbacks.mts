import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';

import type { CallbackStyle } from './description.mts';
import type { Json } from './pages.mts';

/** Sends one callback; resolves to the status that was answered, undefined where none was. */
export async function sendCallback(
	url: string,
	payload: Json,
	style: CallbackStyle,
	{ secret, pretty }: { secret: string; pretty: boolean },
): Promise<number | undefined> {
	const body = Buffer.from(pretty ? JSON.stringify(payload, null, 2) : JSON.stringify(payload));
	const sent = style.gzip ? gzipSync(body) : body;
	const headers: Record<string, string> = { 'Content-Type': style.contentType };
	if (style.gzip) headers['Content-Encoding'] = 'gzip';
	if (!style.chunked) headers['Content-Length'] = String(sent.length);
	if (style.signed) {
		const signature = signatureOf(secret, Math.floor(Date.now() / 1000) - style.age, body);
		headers[style.header] = style.spaceAround ? `  ${signature} ` : signature;
	}
	return await new Promise((resolve) => {
		const call = request(url, { method: 'POST', headers }, (response) => {
			response.resume();
			response.once('close', () => {
				resolve(response.statusCode);
			});
		});
		call.once('error', () => {
			resolve(undefined);
		});
		call.end(sent);
	});
}

/** `t=<unix time>,v1=<hex HMAC-SHA256 of "<time>.<body>">`. */
function signatureOf(secret: string, time: number, body: Buffer): string {
	const mac = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
	return `t=${time},v1=${mac}`;
}
