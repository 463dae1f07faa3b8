import {
	createServer,
	request,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';

import { listenLocally } from '../../../harness/localServer.mts';
import { certificate, privateKey } from '../selfSigned.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';

/** Where the service and n8n are, as the world behind the proxy knows them. */
export const serviceOrigin = 'https://legal-ai.example';
/** Where n8n fetches community packages from. */
const registryHost = 'registry.npmjs.org';
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

/**
 * The network of a company: all traffic goes through a proxy that opens it, with a certificate of its own, and n8n lies
 * below a path, behind a server that takes the path away.
 */
export class CompanyProxy {
	/** The hosts that connections were asked for, in order. */
	connected: string[] = [];
	/** The real places of those behind the proxy; to be set before anything is sent. */
	service = '';
	n8n = '';
	registry = '';
	readonly #server = createServer((incoming, response) => {
		this.#forward(incoming, response);
	});
	#folder = '';
	#port = 0;

	/** Starts it for the tests of a file. */
	static async ofThisFile() {
		const proxy = new CompanyProxy();
		proxy.#folder = await mkdtemp(join(tmpdir(), 'company-'));
		await writeFile(join(proxy.#folder, 'company.pem'), certificate);
		openTunnels(proxy.#server, proxy.#server, proxy.connected);
		proxy.#port = await listenLocally(proxy.#server);
		afterAll(async () => {
			proxy.#server.closeAllConnections();
			proxy.#server.close();
			await rm(proxy.#folder, { recursive: true, force: true });
		});
		return proxy;
	}

	/** What an administrator starts n8n with here. */
	get environment(): Environment {
		const proxy = `http://127.0.0.1:${this.#port}`;
		return {
			HTTP_PROXY: proxy,
			HTTPS_PROXY: proxy,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: join(this.#folder, 'company.pem'),
			N8N_PATH: new URL(n8nAddress).pathname,
			WEBHOOK_URL: n8nAddress,
		};
	}

	/** An address of n8n's as somebody outside reaches it, who needs no certificate. */
	fromOutside(url: string) {
		return url.replace(new URL(n8nAddress).origin, `http://127.0.0.1:${this.#port}`);
	}

	#forward(incoming: IncomingMessage, response: ServerResponse) {
		const { method, headers, url: path = '' } = incoming;
		const places: Record<string, string> = {
			[new URL(serviceOrigin).host]: this.service + path,
			[registryHost]: this.registry + path,
		};
		const target =
			places[headers.host ?? ''] ?? this.n8n + path.replace(new URL(n8nAddress).pathname, '/');
		const outgoing = request(target, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		outgoing.on('error', () => response.writeHead(502).end());
		incoming.pipe(outgoing);
	}
}
