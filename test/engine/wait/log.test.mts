import { logs, onStoppedClock, textLike, textWith } from '../../support/wait/onStoppedClock.mts';

/* What support can ask for: n8n's log at the level "debug" tells how each item went from one state to the next. */

const { sandbox, ask } = await onStoppedClock();

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
