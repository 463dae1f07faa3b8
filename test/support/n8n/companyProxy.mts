import { createServer, request, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

import { listenLocally } from '../../../harness/localServer.mts';
import { certificate, privateKey } from '../selfSigned.mts';

/** Where the service and n8n are, as the world behind the proxy knows them. */
export const serviceOrigin = 'https://legal-ai.example';
export const n8nAddress = 'https://n8n.example/automation/';

/** Has one server, as a proxy, open what is sent through it, and another one answer. Notes the hosts that are asked for. */
export function openTunnels(proxy: Server, answering: Server, hosts: string[] = []) {
	proxy.on('connect', ({ url = '' }, socket) => {
		hosts.push(url);
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		answering.emit(
			'connection',
			new TLSSocket(socket as TLSSocket, { isServer: true, key: privateKey, cert: certificate }),
		);
	});
}

/** The network of a company. */
export type CompanyProxy = Awaited<ReturnType<typeof startCompanyProxy>>;

/**
 * Starts the network of a company: all traffic goes through a proxy that opens it, with a certificate of its own, and n8n lies below
 * a path, behind a server that takes the path away.
 */
export async function startCompanyProxy() {
	/** Where n8n is really, and, by their hosts, the others behind the proxy; to be set before anything is sent. */
	const places = { n8n: '', 'legal-ai.example': '', 'registry.npmjs.org': '' };
	const server = createServer((incoming, response) => {
		const { method, headers, url = '' } = incoming;
		const own = Object.entries(places).find(([host]) => host === headers.host)?.[1];
		const target =
			own === undefined ? places.n8n + url.replace(new URL(n8nAddress).pathname, '/') : own + url;
		const outgoing = request(target, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		outgoing.on('error', () => response.writeHead(502).end());
		incoming.pipe(outgoing);
	});
	const connected: string[] = [];
	openTunnels(server, server, connected);
	const origin = `http://127.0.0.1:${await listenLocally(server)}`;
	const folder = await mkdtemp(join(tmpdir(), 'company-'));
	const authority = join(folder, 'company.pem');
	await writeFile(authority, certificate);
	return {
		places,
		/** The hosts that connections were asked for, in order. */
		connected,
		/** What an administrator starts n8n with here. */
		environment: {
			HTTP_PROXY: origin,
			HTTPS_PROXY: origin,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: authority,
			N8N_PATH: new URL(n8nAddress).pathname,
			WEBHOOK_URL: n8nAddress,
		},
		/** An address of n8n's as somebody outside reaches it, who needs no certificate. */
		fromOutside: (url: string) => url.replace(new URL(n8nAddress).origin, origin),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
