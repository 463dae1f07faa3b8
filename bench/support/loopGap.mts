import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Loaded into an n8n process (`NODE_OPTIONS=--import=…`): measures for how long its event loop stands still. At the port in
 * `LOOP_GAP_PORT`, each GET to `/gap` gives the longest gap in ms since the last call; one to `/rest` first collects the
 * garbage of what went before, so that no request pays for another.
 */
const EXPECTED_MS = 5;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let longest = 0;
let last = performance.now();
setInterval(() => {
	const now = performance.now();
	longest = Math.max(longest, now - last - EXPECTED_MS);
	last = now;
}, EXPECTED_MS).unref();

createServer((request, response) => {
	if (request.url === '/rest') collectGarbage();
	// What a request has begun, or the collection has held up, ends within a turn of the loop.
	setTimeout(() => {
		response.end(String(longest));
		longest = 0;
	}, 4 * EXPECTED_MS);
})
	// Processes that n8n starts for its own use find the port taken.
	.on('error', () => undefined)
	.listen(Number(process.env.LOOP_GAP_PORT), '127.0.0.1')
	.unref();
