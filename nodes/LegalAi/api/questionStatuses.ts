import { countedHints } from '../messages/hints';

/**
 * The statuses in which a question is over, each with the trigger's option, what AI agents are told, and a hint beside the output.
 * With any other status, it is not over yet. The README explains them, too.
 */
export const questionStatuses = {
	completed: {
		option: { name: 'Completed', description: 'The question was answered' },
		forTools: 'the answer is in "answer"',
		hint: undefined,
	},
	error: {
		option: { name: 'Error', description: 'The service could not answer: see "answer"' },
		forTools: 'the reason is in "answer"',
		hint: countedHints.notAnswered,
	},
	filtered: {
		option: { name: 'Filtered', description: 'The assistant declined the question; the reason is in "answer" and "reason"' },
		forTools: 'the assistant declined the question: see "answer" and "reason"',
		hint: countedHints.declined,
	},
} as const;

export type FinalStatus = keyof typeof questionStatuses;

/** In the order in which they are explained. */
export const FINAL_STATUSES = Object.keys(questionStatuses).flatMap((status) => finalStatusOf(status) ?? []);

/** The final status that a text is; undefined if it is none. */
export function finalStatusOf(status: unknown): FinalStatus | undefined {
	return typeof status === 'string' && Object.hasOwn(questionStatuses, status) ? (status as FinalStatus) : undefined;
}
