import { setTimeout as sleep } from 'node:timers/promises';

import { takePort } from './localServer.mts';

/** As many as may start at a time. A port is only ever taken by one process, and is free again as soon as that has ended. */
const ports = [19_871, 19_872];
const interval = 200;
const timeout = 120_000;

/**
 * Starts something in turn with all other processes of this machine: several n8n that start side by side starve each other. After
 * the time, it starts anyway.
 */
export async function inTurn<Started>(start: () => Promise<Started>) {
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
