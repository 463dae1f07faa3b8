// Checks the node on more services than every test run does: npm run double -- [services] [seed]
import { startVitest } from 'vitest/node';

const [count = 1000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
	throw new Error('The number of services and the seed must be whole numbers');
}
console.log(`${count} services for each property, chosen by seed ${seed}`);

// What the configuration provides goes before what is given to Vitest when it starts.
process.env.DOUBLE_SERVICES = String(count);
process.env.FAST_CHECK_SEED = String(seed);
const vitest = await startVitest([], { project: ['double'], watch: false });
await vitest.close();
