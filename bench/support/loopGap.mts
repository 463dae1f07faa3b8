import { createServer } from 'node:http';

/**
 * Loaded into an n8n process (`NODE_OPTIONS=--import=…`): measures for how long its event loop stands still. Each GET to
 * the port in `LOOP_GAP_PORT` gives the longest gap in ms since the one before.
 */
const EXPECTED_MS = 5;

let longest = 0;
let last = performance.now();
setInterval(() => {
	const now = performance.now();
	longest = Math.max(longest, now - last - EXPECTED_MS);
	last = now;
}, EXPECTED_MS).unref();

createServer((_request, response) => {
	response.end(String(Math.round(longest)));
	longest = 0;
})
	// Processes that n8n starts for its own use find the port taken.
	.on('error', () => undefined)
	.listen(Number(process.env.LOOP_GAP_PORT), '127.0.0.1')
	.unref();
