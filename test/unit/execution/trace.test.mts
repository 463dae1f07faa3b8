import { describe, expect, test } from 'vitest';

import { Trace } from '../../../nodes/LegalAi/execution/trace.ts';

/** What the span of a node gets after these questions; undefined if nothing. */
function spanOf(...questions: Parameters<Trace['add']>): unknown {
	const trace = new Trace();
	for (const question of questions) trace.add(question);
	let span: unknown;
	trace.writeTo({ setMetadata: ({ tracing }) => (span = tracing) });
	return span;
}

describe('the span of a node', () => {
	test('has the IDs of a question and its session', () => {
		expect(spanOf({ id: 'q', session_id: 's' })).toEqual({ 'legal_ai.question_id': 'q', 'legal_ai.session_id': 's' });
	});

	test('has no ID that the service has not given', () => {
		expect(spanOf({ id: 7, session_id: 's' })).toEqual({ 'legal_ai.session_id': 's' });
		expect(spanOf({ id: 'q', session_id: null })).toEqual({ 'legal_ai.question_id': 'q' });
		expect(spanOf({})).toBeUndefined();
	});
});
