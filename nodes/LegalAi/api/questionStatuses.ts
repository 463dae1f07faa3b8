import { countedHints, type CountedHint } from '../messages';

/** What a final status of a question means, wherever it is explained or decides something. */
interface QuestionStatus {
	/** Whether the answer is one to the question, so that answer fields are read from it. */
	readonly isAnswer: boolean;
	/** Whether the service failed: the item fails if the user wants that, and a retry asks again. */
	readonly isFailure: boolean;
	/** The option of the Legal AI Trigger. */
	readonly option: { readonly name: string; readonly description: string };
	/** For an AI agent. */
	readonly forTools: string;
	/** What the output says about such questions; undefined if there is nothing to say. */
	readonly hint: CountedHint | undefined;
}

/** The statuses in which a question is over. With any other status, it is not over yet. The README explains them, too. */
export const questionStatuses = {
	completed: {
		isAnswer: true,
		isFailure: false,
		option: { name: 'Completed', description: 'The question was answered' },
		forTools: 'the answer is in "answer"',
		hint: undefined,
	},
	error: {
		isAnswer: false,
		isFailure: true,
		option: { name: 'Error', description: 'The service could not answer: see "answer"' },
		forTools: 'the reason is in "answer"',
		hint: countedHints.notAnswered,
	},
	filtered: {
		isAnswer: false,
		isFailure: false,
		option: {
			name: 'Filtered',
			description: 'The assistant declined the question; the reason is in "answer" and "reason"',
		},
		forTools: 'the assistant declined the question: see "answer" and "reason"',
		hint: countedHints.declined,
	},
} as const satisfies Record<string, QuestionStatus>;

export type FinalStatus = keyof typeof questionStatuses;

/** In the order in which they are explained. */
export const FINAL_STATUSES = Object.keys(questionStatuses).flatMap(
	(status) => finalStatusOf(status) ?? [],
);

/** The final status that a text is; undefined if it is none. */
export function finalStatusOf(status: unknown): FinalStatus | undefined {
	return typeof status === 'string' && Object.hasOwn(questionStatuses, status)
		? (status as FinalStatus)
		: undefined;
}

/** What the status of a question means; undefined if the question is not over. */
export function outcomeOf(status: unknown): QuestionStatus | undefined {
	const final = finalStatusOf(status);
	return final && questionStatuses[final];
}
