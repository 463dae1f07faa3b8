import { ASK, logs, questions, test, textLike, textWith } from '../../support/fixtures.mts';
import { words } from '../../support/wait/killed.mts';

test('each transition of an item is a line of the log, without a word of what was asked', async ({
	service,
	wait,
}) => {
	const before = logs.length;
	await wait.ask();
	const { id } = service.asked();
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

/** The lines at the level "debug" since there were so many. */
const linesSince = (before: number) =>
	logs.slice(before).flatMap(({ level, message }) => (level === 'debug' ? [message] : []));

test('parking, and each ring with what follows from it, is a line of the log', async ({
	clock,
	wait,
}) => {
	const before = logs.length;
	const parked = await wait.ask({ items: questions(2) });
	await wait.complete('Question 0');
	await wait.complete('Question 1');
	await clock.settle(parked.resumed());
	const lines = linesSince(before).filter((line) => /parks|ring /.test(line));
	expect(lines).toEqual([
		textLike(/execution \S+, parks \{.*"wakeAt":\d+/),
		textLike(/execution \S+, ring of "[\w-]{22}": noted$/),
		textLike(/execution \S+, ring of "[\w-]{22}": resume$/),
	]);
});

test('a retry logs what it has found in the store, and from which state to which each item goes, without a word of what was asked', async ({
	killed,
}) => {
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(2), node: {} }), {
		skip: 0,
	});
	const before = logs.length;
	const failed = await killed.finish(crashed.retry());
	await killed.finish(failed.retry());
	const lines = linesSince(before).filter((line) => /finds notes|item 0: (sent|failed)/.test(line));
	expect(lines).toEqual([
		textLike(/execution \d+, finds notes \{"items":2,"found":2,"failed":0,"sends":2,"failures":0,/),
		textLike(/execution \d+, item 0: sent -> sent \{.*"kind":"sendingInterrupted"/),
	]);
	expect(lines.join()).not.toContain('Words');
});

test('what is open is logged as its ring continues the execution', async ({ clock, wait }) => {
	const parked = await wait.ask();
	const before = logs.length;
	await wait.complete();
	await clock.settle(parked.resumed());
	expect(linesSince(before)).toContainEqual(
		textLike(/execution \d+, item 0: open -> open \{.*"lookAt":\d+,"laterLooks":\[/),
	);
});

test('a request that is sent again is a line of the log, with the reason and the pause', async ({
	service,
	wait,
}) => {
	service.faults.add({ status: 429, headers: { 'retry-after': '2' }, match: ASK });
	const before = logs.length;
	await wait.ask();
	expect(linesSince(before)).toContainEqual(
		textLike(
			/POST \/assistants\/default\/questions failed \(rateLimited 429\), again after \d+ ms$/,
		),
	);
});
