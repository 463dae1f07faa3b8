import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Makes a server listen on a free port of 127.0.0.1, and returns the port. */
export async function listenLocally(server: Server) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server got no port');
	return address.port;
}

/** Takes a port of a host, or of all, until the server is closed. Undefined if something else has it. */
export async function takePort(port: number, host?: string) {
	const server = createServer().listen(port, host);
	try {
		await once(server, 'listening');
		return server;
	} catch {
		return undefined;
	}
}
