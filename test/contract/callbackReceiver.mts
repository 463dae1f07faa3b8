import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';

/** A callback that came in. */
export interface ReceivedCallback {
	headers: IncomingHttpHeaders;
	/** As it was sent, but not compressed. */
	raw: Buffer;
	payload: JsonRecord;
	/** Unix seconds at which it came in. */
	at: number;
}

export type CallbackReceiver = Awaited<ReturnType<typeof receiveCallbacks>>;

/**
 * Receives callbacks, and gives out one small file to whoever asks for it.
 *
 * @param port 0 for any free one
 * @param url the public address that leads to the port; by default the port itself, on this machine
 */
export async function receiveCallbacks(secret: string, port: number, url?: string) {
	const received: ReceivedCallback[] = [];
	const server = createServer((request, response) => {
		void buffer(request).then((sent) => {
			const { headers, method } = request;
			if (method === 'POST')
				received.push({
					headers,
					at: Math.floor(Date.now() / 1000),
					...read(sent, headers['content-encoding']),
				});
			response
				.writeHead(200, { 'content-type': 'text/plain' })
				.end('A mutual agreement, which either side may end.');
		});
	});
	server.listen(port);
	await once(server, 'listening');
	const address = server.address();
	const listening = typeof address === 'object' && address !== null ? address.port : port;
	return {
		/** The address that leads here. */
		url: url ?? `http://127.0.0.1:${listening}/`,
		secret,
		received,
		close: () => server.close(),
	};
}

function read(sent: Buffer, encoding?: string) {
	try {
		const raw = encoding === 'gzip' ? gunzipSync(sent) : sent;
		const payload: unknown = JSON.parse(raw.toString());
		return { raw, payload: isRecord(payload) ? payload : {} };
	} catch {
		return { raw: sent, payload: {} };
	}
}
