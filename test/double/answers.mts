import { expect } from 'vitest';

import type { Double } from './double.mts';
import type { Json } from './pages.mts';

/** Checks that an item is a question with exactly the answer that the service has for it. */
export function expectAnswer({ description: { questions: style }, truth }: Double, json: Json | undefined, withAssistant = true): void {
	const question = truth.questions.find(({ id }) => id === json?.id);
	expect(question).toBeDefined();
	const isFiltered = question?.outcome === 'filtered';
	expect(json).toMatchObject({
		status: question?.outcome,
		answer: style.answer,
		session_id: isFiltered ? null : question?.sessionId,
		...(withAssistant ? { assistant_id: question?.assistantId } : {}),
	});
	expect(json?.reason ?? null).toBe(isFiltered ? style.reason : null);
	const files = question?.outcome === 'completed' ? style.attachments : [];
	const shown = (Array.isArray(json?.attachments) ? json.attachments : []) as Json[];
	expect(shown.map(({ file_name }) => file_name).sort()).toEqual(files.map(({ name }) => name).sort());
}
