import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';

import { listenLocally } from '../../../harness/localServer.mts';

/** A request to a webhook address. Its `rawBody` is available once it was read. */
export interface HttpCall {
	/** Below the endpoint, e.g. `<execution id>/<node id>`. */
	path: string;
	query: URLSearchParams;
	request: IncomingMessage;
	response: ServerResponse;
}

/** The response, if there was none yet. */
export interface HttpReply {
	status: number;
	/** A string is sent as text, anything else as JSON. Undefined sends nothing. */
	body?: unknown;
}

/** An HTTP server with one handler per endpoint. */
export type Listener = Awaited<ReturnType<typeof listen>>;

/** n8n's response to a call that reaches nothing. */
export function refusal(status: number, message: string): HttpReply {
	return { status, body: { code: status, message } };
}

/** Listens on a free port, without keeping the process alive. */
export async function listen(
	handlers: Readonly<Record<string, (call: HttpCall) => Promise<HttpReply>>>,
) {
	let takesCalls = true;
	const server = createServer((request, response) => {
		if (!takesCalls) return void request.socket.destroy();
		answer(request, response).catch((error: unknown) => {
			response.writeHead(500).end(String(error));
		});
		return undefined;
	});
	const answer = async (request: IncomingMessage, response: ServerResponse) => {
		const call = toCall(request, response);
		const [, endpoint = ''] = /^\/([^/?]*)/.exec(request.url ?? '') ?? [];
		const reply = (await handlers[endpoint]?.(call)) ?? refusal(404, 'Not found');
		if (!response.writableEnded) send(response, reply);
	};
	const port = await listenLocally(server);
	server.unref();
	return {
		origin: `http://127.0.0.1:${port}`,
		/** Cuts all connections, including new ones, until told to accept calls again. */
		takeCalls: (takes: boolean) => {
			takesCalls = takes;
			if (!takes) server.closeAllConnections();
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function toCall(request: IncomingMessage, response: ServerResponse): HttpCall {
	const url = new URL(request.url ?? '/', 'http://localhost');
	request.readRawBody = async () => {
		if (Buffer.isBuffer(request.rawBody)) return;
		if (!request.readable) throw new Error('Request body stream was aborted or is not readable');
		const gzipped = request.headers['content-encoding'] === 'gzip';
		request.rawBody = await buffer(gzipped ? request.pipe(createGunzip()) : request);
	};
	return {
		path: url.pathname.split('/').slice(2).map(decodeURIComponent).join('/'),
		query: url.searchParams,
		request,
		response,
	};
}

function send(response: ServerResponse, { status, body }: HttpReply): void {
	response.statusCode = status;
	if (body === undefined) return void response.end();
	const text = typeof body === 'string';
	response.setHeader(
		'content-type',
		text ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
	);
	response.end(text ? body : JSON.stringify(body));
}
