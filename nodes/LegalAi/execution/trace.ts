import type { IExecuteFunctions } from 'n8n-workflow';

/** Whoever looks for one of more questions than that looks at the output. */
const MAX_IDS = 20;

/** The IDs of questions and sessions that the span of a node gets, where n8n writes traces. */
export class Trace {
	private readonly ids = { question_id: new Set<string>(), session_id: new Set<string>() };

	add({ id, session_id }: { id?: unknown; session_id?: unknown }): void {
		if (typeof id === 'string') this.ids.question_id.add(id);
		if (typeof session_id === 'string') this.ids.session_id.add(session_id);
	}

	/** To be called last: n8n copies all that is kept on the node's entry. Older n8n have no place for it. */
	writeTo(context: Partial<Pick<IExecuteFunctions, 'setMetadata'>>): void {
		const tracing: Record<string, string> = {};
		for (const [name, ids] of Object.entries(this.ids)) {
			if (ids.size > 0) tracing[`legal_ai.${name}`] = [...ids].slice(0, MAX_IDS).join(',');
		}
		if (Object.keys(tracing).length > 0) context.setMetadata?.({ tracing });
	}
}
