import { Expression } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/requests.mts';
import {
	ASK,
	binaryItem,
	continuing,
	logs,
	onStoppedClock,
	operations,
	pass,
	questions,
	settle,
	textLike,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

/* What one run hands over to the next: who is who, what was counted, and when to look. */

const SECOND = 1_000;

const world = await onStoppedClock();
const { sandbox, ask, wakeInTime, toItsEnd, posted } = world;

const allFiles = { attachments: { attachment: [{ source: 'allBinary' }] } };

test.each([
	['files of one name and size', ['%PDF buyer', '%PDF other'], ['https://a.example']],
	['callback URLs', ['%PDF'], ['https://a.example', 'https://b.example']],
])(
	'two items with one prompt and two %s are not taken for one another by a retry',
	async (_what, files, urls) => {
		const items = await Promise.all(
			[0, 1].map(async (index) => ({
				...(await binaryItem(files[index] ?? '%PDF', { fileName: 'contract.pdf' })),
				json: { words: 'Same', url: urls[index] ?? urls[0] ?? '' },
			})),
		);
		// The first upload never arrives; the other item is asked.
		sandbox.faults.add({ kind: 'hang', match: ({ method }) => method === 'PUT' });
		const callback = { callbackTarget: 'url', callbackUrl: '={{ $json.url }}' };
		void ask({ items, fields: { ...operations.Ask, ...allFiles, ...callback }, node: continuing });
		await settle(sandbox.waitForRequest(({ route, ended }) => route === ASK && ended));
		await pass(3 * SECOND);
		await world.restart();
		const [crashed] = world.n8n.endings.entries.slice(-1);
		expect([crashed?.status, sandbox.questions.length]).toEqual(['crashed', 1]);
		const retried = crashed && (await toItsEnd(await settle(crashed.retry())));
		expect(sandbox.questions).toHaveLength(2);
		const errors = retried?.json.map(({ error }) => error);
		expect(errors).toEqual([undefined, textWith('interrupted')]);
	},
);

test('what another run has sent for one item is never taken for what another item sends, if n8n continues from an older state', async () => {
	sandbox.settings.newSessionsPerMinute = 60;
	const sizes = [...Array.from({ length: 88 }, () => 10), 20, 30];
	const items = await Promise.all(
		sizes.map(async (size, index) => ({
			...(await binaryItem('%PDF'.padEnd(size), { fileName: 'contract.pdf' })),
			json: { words: index < 88 ? `Words ${index}` : 'Same' },
		})),
	);
	const parked = await ask({ items, fields: allFiles, node: continuing });
	expect([parked.status, posted() < 88]).toEqual(['waiting', true]);
	sandbox.settings.newSessionsPerMinute = Infinity;
	const isFirstOfSame = ({ method, headers }: LoggedRequest) =>
		method === 'PUT' && headers['content-length'] === '20';
	// With a new address, too: this run can not send it.
	sandbox.faults.add({ status: 400, match: isFirstOfSame, times: 2 });
	await world.whileBusy(parked);
	const same = sandbox.questions.filter(({ text }) => text === 'Same');
	const sent = same.map(({ attachments: [file] }) => file?.kind === 'upload' && file.contentLength);
	expect(sent.toSorted()).toEqual([20, 30]);
});

test('a retried wait, whose callbacks ring at the earlier execution, checks after 65 to 75 seconds', async () => {
	const parked = await ask({ items: questions(2) });
	const body = { error_code: 'resource_not_found', message: 'Gone' };
	sandbox.faults.add({ status: 404, body, match: world.isCheckOf('Question 1') });
	const failed = await wakeInTime(parked);
	expect(failed.status).toBe('error');
	const again = await settle(failed.retry());
	const seconds = ((again.waitTill?.getTime() ?? 0) - Date.now()) / SECOND;
	expect([again.status, posted()]).toEqual(['waiting', 2]);
	expect(seconds).toBeGreaterThanOrEqual(64);
	expect(seconds).toBeLessThanOrEqual(75);
});

describe('of more questions than the limits allow at once,', () => {
	beforeEach(() => {
		sandbox.settings.newSessionsPerMinute = 60;
	});

	test('the final output counts all that were asked without a file, whichever run has asked them', async () => {
		const fields = { ...operations.Ask, ...allFiles };
		const over = await toItsEnd(await ask({ items: questions(150), fields }));
		expect(over.hints).toEqual([
			textWith('without a file, because their items had none to attach: 150.'),
		]);
	});

	test('a portion reads the fields of what it sends, and of nothing else', async () => {
		const parked = await ask({ items: questions(200), fields: operations.Ask });
		const before = posted();
		const resolve = vi.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await wakeInTime(parked);
		const read = resolve.mock.calls.filter(([value]) => value === '={{ $json.words }}').length;
		resolve.mockRestore();
		expect(posted()).toBeGreaterThan(before);
		expect(read).toBe(posted() - before);
	});
});

test('each transition of an item is a line of the log, without a word of what was asked', async () => {
	const before = logs.length;
	await ask();
	const { id } = sandbox.asked();
	const lines = logs
		.slice(before)
		.flatMap(({ level, message }) => (level === 'debug' ? [message] : []))
		.filter((line) => line.includes('item 0'));
	expect(lines).toEqual([
		textWith('item 0: new -> new {'),
		textWith('item 0: new -> sent {'),
		textLike(new RegExp(`item 0: sent -> open {.*"record":"${id}"`)),
	]);
	expect(lines.join()).not.toContain('Question 0');
});
