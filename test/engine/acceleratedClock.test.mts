import { createServer } from 'node:http';

import { sleep } from 'n8n-workflow';
import { request } from 'node:http';
import { afterEach, expect, test } from 'vitest';

import { install, uninstall } from '../support/engine/acceleratedClock.mts';
import { listenLocally } from '../support/localServer.mts';

const realNow = Date.now;

afterEach(uninstall);

test('dates and timers run at the same faster pace', async () => {
	install(1000);
	const [began, reallyBegan] = [Date.now(), realNow()];
	const date = new Date();

	await sleep(60_000);

	expect(Date.now() - began).toBeGreaterThanOrEqual(60_000);
	expect(realNow() - reallyBegan).toBeLessThan(10_000);
	expect(date.getTime() - began).toBeLessThan(60_000);
	expect(date).toBeInstanceOf(Date);
	expect(new Date(0).getTime()).toBe(0);
	expect(Date.parse('1970-01-01T00:00:01Z')).toBe(1000);
});

test('a request times out sooner', async () => {
	const silent = createServer();
	const port = await listenLocally(silent);
	install(1000);
	const began = realNow();

	await new Promise<void>((resolve) => {
		const sent = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
		sent.setTimeout(60_000, resolve).end();
	});

	expect(realNow() - began).toBeLessThan(10_000);
	silent.closeAllConnections();
	silent.close();
});

test('time stands still where this process does not get its turn', async () => {
	install(1000);
	const began = Date.now();
	const reallyBegan = realNow();
	while (realNow() - reallyBegan < 100);
	await new Promise((resolve) => setImmediate(resolve));

	expect(Date.now() - began).toBeLessThan(30_000);
});

test('an interval goes on until it is cleared', async () => {
	install(1000);
	let rounds = 0;
	await new Promise<void>((resolve) => {
		const interval = setInterval(() => {
			rounds += 1;
			if (rounds < 3) return;
			clearInterval(interval);
			resolve();
		}, 1000);
	});
	await sleep(5000);

	expect(rounds).toBe(3);
});

test('uninstalling brings real time back', () => {
	install(1000);
	uninstall();
	expect(Math.abs(Date.now() - realNow())).toBeLessThan(1000);
	expect(() => {
		install(0);
	}).toThrow(RangeError);
});
