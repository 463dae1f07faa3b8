// Checks the node on more services than every test run does: npm run double -- [services] [seed]
import { startVitest } from 'vitest/node';

const MS_A_SERVICE_AT_MOST = 1000;

const [count = 1000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
	throw new Error('The number of services and the seed must be whole numbers');
}
console.log(`${count} services for each property, chosen by seed ${seed}`);

const vitest = await startVitest([], {
	project: ['double'],
	watch: false,
	provide: { services: { count, seed } },
	testTimeout: 60_000 + count * MS_A_SERVICE_AT_MOST,
});
await vitest.close();
