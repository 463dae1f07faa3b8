// Has n8n run under load for minutes, and writes what was seen into bench/RESULTS.md: npm run soak -- queue|week [questions]
import { startVitest } from 'vitest/node';

const [name, questions] = process.argv.slice(2);
if (name === undefined || !/^[1-9]\d*$/.test(questions ?? '1')) {
	throw new Error('Say which soak, and with how many questions: npm run soak -- queue 200');
}

// With another number of questions than its own, it is tried out, and nothing is written.
if (questions !== undefined) Object.assign(process.env, { SOAK_QUESTIONS: questions, BENCH: 'quick' });
const vitest = await startVitest([name], { config: 'bench/vitest.config.mts', include: ['bench/*.soak.mts'], watch: false });
await vitest.close();
