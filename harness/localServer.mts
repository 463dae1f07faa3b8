import { once } from 'node:events';
import type { Server } from 'node:net';

/** Makes a server listen on a free port of 127.0.0.1, and returns the port. */
export async function listenLocally(server: Server) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server got no port');
	return address.port;
}
