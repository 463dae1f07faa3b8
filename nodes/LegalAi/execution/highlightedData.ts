import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n warns of longer values. */
const MAX_CHARACTERS = 255;

/**
 * Puts the IDs of questions and their sessions into n8n's highlighted data, by which executions can be searched: someone who stops one
 * that waits can still find the question at the service. n8n 1 gives nodes no access to it.
 */
export function highlightQuestions(
	{ customData }: Partial<Pick<IExecuteFunctions, 'customData'>>,
	records: Iterable<object>,
): void {
	const ids = { legal_ai_question: new Set<string>(), legal_ai_session: new Set<string>() };
	for (const record of records) {
		if (!('session_id' in record && 'id' in record)) continue;
		if (typeof record.id === 'string') ids.legal_ai_question.add(record.id);
		if (typeof record.session_id === 'string') ids.legal_ai_session.add(record.session_id);
	}
	for (const [name, values] of Object.entries(ids)) {
		const list = [...values].join(', ');
		// As many as fit, whole.
		const fitting =
			list.length > MAX_CHARACTERS
				? list.slice(0, Math.max(0, list.lastIndexOf(', ', MAX_CHARACTERS)))
				: list;
		if (values.size > 0) customData?.set(name, fitting);
	}
}
