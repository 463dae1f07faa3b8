import type { IExecuteFunctions } from 'n8n-workflow';

import { type KeptNotices, Notices } from '../../../nodes/LegalAi/execution/notices.ts';

/* Sentences beside the output. What they say: test/engine/wait/notices.test.mts. */

/** A run of the node, with what runs before have kept. */
function begin(kept: KeptNotices = { hints: [], sent: {} }) {
	const shown: string[] = [];
	const context: unknown = {
		addExecutionHints: ({ message }: { message: string }) => shown.push(message),
	};
	return { notices: new Notices(context as IExecuteFunctions, kept), kept, shown };
}

test('a hint is shown once in a run, and again with the output of a later run', () => {
	const { notices, kept, shown } = begin();
	notices.hint('Slow.');
	notices.hint('Slow.');
	expect(shown).toEqual(['Slow.']);
	expect(kept.hints).toEqual(['Slow.']);
	const later = begin(kept);
	later.notices.showAll();
	expect(later.shown).toEqual(['Slow.']);
});

test('a hint that is true only for now is not kept', () => {
	const { notices, kept, shown } = begin();
	notices.hintForNow('Slow.');
	expect(shown).toEqual(['Slow.']);
	expect(kept.hints).toEqual([]);
});

test('what was sent is counted over all runs, what is output for the last one alone', () => {
	const first = begin();
	first.notices.countSent('questions', 'Look.');
	first.notices.count('files', 'See.', 'a.pdf');
	const last = begin(first.kept);
	last.notices.countSent('questions', 'Look.');
	last.notices.count('files', 'See.', 'b.pdf');
	last.notices.showAll();
	expect(last.shown).toEqual([
		'Number of questions: 2. Look.',
		'Number of files: 1. Names: "b.pdf". See.',
	]);
});

test('at most five names are shown, each once', () => {
	const { notices, shown } = begin();
	for (const name of ['a', 'a', 'b', 'c', 'd', 'e']) notices.count('files', 'See.', name);
	notices.showAll();
	for (const name of ['f', 'g']) notices.count('files', 'See.', name);
	notices.showAll();
	expect(shown).toEqual([
		'Number of files: 6. Names: "a", "b", "c", "d", "e". See.',
		'Number of files: 8. Names: "a", "b", "c", "d", "e", …. See.',
	]);
});
