import {
	ask as askAt,
	call,
	refused,
	sandboxForTests,
	type Reply,
} from '../support/sandboxClient.mts';

const sandbox = await sandboxForTests();

const ask = (more: object = {}) => askAt(sandbox, { question: 'x', ...more });
const me = () => call(sandbox, 'GET', '/me');
const statuses = async (count: number, send: () => Promise<Reply>) => {
	const seen: number[] = [];
	for (let sent = 0; sent < count; sent += 1) seen.push((await send()).status);
	return seen;
};
const limited = refused(429, 'rate_limit_exceeded');

describe('rate limits of the sandbox', () => {
	test('requests are limited, and the limit refills continuously', async () => {
		sandbox.settings.requestsPerMinute = 6;
		expect(await statuses(6, me)).toEqual(Array<number>(6).fill(200));
		expect(await me()).toMatchObject({ ...limited, headers: { 'retry-after': '10' } });
		sandbox.advance(4_000);
		expect(await me()).toMatchObject({ ...limited, headers: { 'retry-after': '6' } });
		sandbox.advance(6_000);
		expect(await statuses(2, me)).toEqual([200, 429]);
		sandbox.advance(600_000);
		expect(await statuses(7, me)).toEqual([...Array<number>(6).fill(200), 429]);
	});

	test('new sessions are limited, including declined ones, but not follow-ups or invalid questions', async () => {
		sandbox.settings.newSessionsPerMinute = 2;
		sandbox.settings.answer = ({ text }) => ({
			status: text === 'x' ? 'completed' : 'filtered',
			answer: 'A',
		});
		expect(await ask({ question: '' })).toMatchObject({ status: 400 });
		await ask();
		expect(await ask({ question: 'decline me' })).toMatchObject({
			status: 200,
			body: { status: 'filtered' },
		});
		expect(await ask()).toMatchObject(limited);
		const id = sandbox.asked().id;
		await sandbox.complete(id);
		expect(await ask({ session_id: id })).toMatchObject({ status: 200 });
		sandbox.advance(30_000);
		expect(await statuses(2, ask)).toEqual([200, 429]);
	});
});
