import { setTimeout as sleep } from 'node:timers/promises';

import { takePort } from './localServer.mts';

/** One for each n8n that may start at a time. A port works as a lock between processes: it is free again as soon as its process has ended. */
const ports = [19_871, 19_872];
const interval = 200;
const timeout = 120_000;

/**
 * Starts something once fewer than two others are starting, in all processes of this machine: several n8n that start at the same time
 * starve each other. After two minutes, it starts anyway.
 */
export async function startInTurn<Started>(start: () => Promise<Started>) {
	for (let waited = 0; waited < timeout; waited += interval) {
		for (const port of ports) {
			const turn = await takePort(port, '127.0.0.1');
			if (turn === undefined) continue;
			try {
				return await start();
			} finally {
				turn.close();
			}
		}
		await sleep(interval);
	}
	return await start();
}
