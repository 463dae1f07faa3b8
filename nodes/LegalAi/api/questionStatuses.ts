import { countedHints, type CountedHint } from '../messages';

/** What a final status of a question means, wherever it is explained or decides something. */
interface QuestionStatus {
	/** Whether the answer is one to the question, so that answer fields are read from it. */
	readonly isAnswer: boolean;
	/** Whether the service failed: the item fails if the user wants that, and a retry asks again. */
	readonly isFailure: boolean;
	/** Its label. */
	readonly name: string;
	/** What it says, to users of the Legal AI Trigger and to AI agents. */
	readonly description: string;
	/** What the output says about such questions; undefined if there is nothing to say. */
	readonly hint: CountedHint | undefined;
}

/** The statuses in which a question is over. With any other status, it is not over yet. The README explains them, too. */
export const questionStatuses = {
	completed: {
		isAnswer: true,
		isFailure: false,
		name: 'Completed',
		description: 'The answer is in "answer"',
		hint: undefined,
	},
	error: {
		isAnswer: false,
		isFailure: true,
		name: 'Error',
		description: 'The service could not answer; the reason is in "answer"',
		hint: countedHints.notAnswered,
	},
	filtered: {
		isAnswer: false,
		isFailure: false,
		name: 'Filtered',
		description: 'The assistant declined the question; the reason is in "answer" and "reason"',
		hint: countedHints.declined,
	},
} as const satisfies Record<string, QuestionStatus>;

export type FinalStatus = keyof typeof questionStatuses;

/** In the order in which they are explained. */
export const FINAL_STATUSES = Object.keys(questionStatuses) as FinalStatus[];

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
