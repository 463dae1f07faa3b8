import { connect, createServer, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { listenLocally } from '../../../harness/localServer.mts';

/** A line to a port of this machine. The first of its connections gets stuck after so many bytes on the way there, but not on the way back. */
export async function slowLineOfTest(
	port: number,
	stuckAfter: number,
): Promise<{ port: number; connections: () => number }> {
	const sockets = new Set<Socket>();
	let connections = 0;
	const server = createServer((near) => {
		let left = connections++ === 0 ? stuckAfter : Infinity;
		const far = connect(port, '127.0.0.1');
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => other.destroy()).on('close', () => other.end());
		}
		far.pipe(near);
		near.on('data', (chunk) => {
			far.write(chunk.subarray(0, left));
			left -= chunk.length;
			if (left <= 0) near.pause();
		});
	});
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return { port: await listenLocally(server), connections: () => connections };
}
