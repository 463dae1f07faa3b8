import { createServer, get } from 'node:http';

import { sleep } from 'n8n-workflow';
import { request } from 'undici';
import { afterEach, expect, test } from 'vitest';

import { listenLocally } from '../support/localServer.mts';
import { install, pass, settle, uninstall } from './stoppedClock.mts';

const realNow = Date.now;

afterEach(uninstall);

test('time stands still until it is told to pass, and timers fire in their order', async () => {
	install(1000);
	const fired: [string, number][] = [];
	setTimeout(() => void fired.push(['late', Date.now()]), 300);
	setTimeout(() => void fired.push(['soon', Date.now()]), 100);
	const cleared = setTimeout(() => void fired.push(['never', Date.now()]), 200);
	clearTimeout(cleared);
	await new Promise((resolve) => setImmediate(resolve));
	expect([Date.now(), new Date().getTime(), fired]).toEqual([1000, 1000, []]);

	await pass(250);
	expect([Date.now(), fired]).toEqual([1250, [['soon', 1100]]]);
	await pass(100);
	expect(fired.at(-1)).toEqual(['late', 1300]);
});

test('waiting for something lets just as much time pass as it takes', async () => {
	install(0);
	const reallyBegan = realNow();
	expect(await settle(sleep(3_600_000).then(() => 'done'))).toBe('done');
	expect(Date.now()).toBe(3_600_000);
	expect(realNow() - reallyBegan).toBeLessThan(60_000);
	await expect(settle(new Promise(() => undefined))).rejects.toThrow('under way');
});

test('time does not pass while a request or its response is on its way', async () => {
	const server = createServer((_, response) => {
		setImmediate(() => setImmediate(() => setImmediate(() => setImmediate(() => setImmediate(() => response.end('slow'))))));
	});
	const url = `http://127.0.0.1:${await listenLocally(server)}`;
	install(0);
	const timedOut = sleep(1).then(() => 'timed out');
	const viaUndici = request(url).then(async ({ body }) => await body.text());
	expect(await settle(Promise.race([timedOut, viaUndici]))).toBe('slow');
	const viaNode = new Promise((resolve) => get(url, (response) => response.resume().once('end', () => { resolve('slow'); })));
	expect(await settle(Promise.race([sleep(1), viaNode]))).toBe('slow');
	server.close();
});

test('an interval goes on until it is cleared, and a timer can be set again', async () => {
	install(0);
	let rounds = 0;
	const interval = setInterval(() => {
		rounds += 1;
		if (rounds === 3) clearInterval(interval);
	}, 1000);
	const timer = setTimeout(() => undefined, 500);
	await pass(10_000);
	expect(rounds).toBe(3);
	timer.refresh();
	await settle(sleep(600));
	expect(Date.now()).toBe(10_600);
});

test('uninstalling brings real time back', () => {
	install();
	uninstall();
	expect(Math.abs(Date.now() - realNow())).toBeLessThan(1000);
});
