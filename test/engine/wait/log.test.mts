import {
	ASK,
	logs,
	onStoppedClock,
	questions,
	settle,
	textLike,
	textWith,
} from '../../support/wait/onStoppedClock.mts';

/* What support can ask for: n8n's log at the level "debug" tells how each item went from one state to the next. */

const { sandbox, ask, complete } = await onStoppedClock();

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

/** The lines at the level "debug" since there were so many. */
const linesSince = (before: number) =>
	logs.slice(before).flatMap(({ level, message }) => (level === 'debug' ? [message] : []));

test('parking, and each ring with what follows from it, is a line of the log', async () => {
	const before = logs.length;
	const parked = await ask({ items: questions(2) });
	await complete('Question 0');
	await complete('Question 1');
	await settle(parked.resumed());
	const lines = linesSince(before).filter((line) => /parks|ring /.test(line));
	expect(lines).toEqual([
		textLike(/execution \S+, parks \{.*"wakeAt":\d+/),
		textLike(/execution \S+, ring of "[\w-]{22}": noted$/),
		textLike(/execution \S+, ring of "[\w-]{22}": resume$/),
	]);
});

test('a request that is sent again is a line of the log, with the reason and the pause', async () => {
	sandbox.faults.add({ status: 429, headers: { 'retry-after': '2' }, match: ASK });
	const before = logs.length;
	await ask();
	expect(linesSince(before)).toContainEqual(
		textLike(
			/POST \/assistants\/default\/questions failed \(rateLimited 429\), again after \d+ ms$/,
		),
	);
});
