import type { IExecuteFunctions } from 'n8n-workflow';

import { note, removeNotes } from '../../../nodes/LegalAi/execution/notes.ts';

/* The notes in n8n's store of processed data. What they are for: test/engine/wait. */

/** A run with a store of its own, whose writes take a moment. */
function createRun() {
	const stored = new Set<string>();
	const helpers = {
		checkProcessedAndRecord: async (texts: string[]) => {
			await Promise.resolve();
			const processed = texts.filter((text) => stored.has(text));
			for (const text of texts) stored.add(text);
			return { new: texts.filter((text) => !processed.includes(text)), processed };
		},
		removeProcessed: async (texts: string[]) => {
			await Promise.resolve();
			for (const text of texts) stored.delete(text);
		},
	};
	const context: unknown = { helpers };
	return { context: context as IExecuteFunctions, stored };
}

test('what is noted while a removal waits for its turn is written after it', async () => {
	const { context, stored } = createRun();
	await note(context, ['first send']);
	const beside = note(context, ['another send']);
	const removed = removeNotes(context, 'first send');
	const again = note(context, ['first send']);
	await Promise.all([beside, removed]);
	expect(await again).toEqual([]);
	expect([...stored]).toEqual(['another send', 'first send']);
});

test('what is noted beside one another is written at once', async () => {
	const { context } = createRun();
	const write = vi.spyOn(context.helpers, 'checkProcessedAndRecord');
	await Promise.all([note(context, ['a']), note(context, ['b', 'c'])]);
	expect(write.mock.calls.map(([texts]) => texts)).toEqual([['a', 'b', 'c']]);
});
