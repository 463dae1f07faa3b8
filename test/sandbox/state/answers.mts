import type { GeneratedFile } from './files.mts';
import type { Question } from './questions.mts';

/** How a question ends. */
export interface Outcome {
	/** `filtered` applies only to a new session: a follow-up is never filtered, but completed instead. */
	status: 'completed' | 'error' | 'filtered';
	/** The answer, the error's message, or the decline wording. */
	answer: string | null;
	/** Why it was declined; shown with `filtered` only. */
	reason?: string | null;
	/** Shown with `completed` only. */
	attachments?: readonly GeneratedFile[];
	/** Sandbox milliseconds until then; by default a random value within `answerTime`. Infinity waits for `complete()`. */
	after?: number;
}

/** Decides how a question ends, when it is asked. */
export type AnswerScript = (question: Question) => Outcome;

/** Words in a question that steer the made-up answers, for someone who tries the sandbox by hand. */
export const TRIGGERS = {
	'[error]': 'the question ends in status error',
	'[filtered]': 'the assistant declines the question, if it is new',
	'[file]': 'the answer comes with a generated file',
	'[now]': 'the answer is ready at once',
};

/** The made-up legal review that is the answer unless a test scripts another one. */
export function madeUpAnswer(question: Pick<Question, 'text' | 'attachments'>): Outcome {
	const has = (trigger: keyof typeof TRIGGERS) => question.text.includes(trigger);
	const time = has('[now]') ? { after: 0 } : {};
	if (has('[filtered]')) {
		return {
			status: 'filtered',
			answer: 'This request was declined at intake.',
			reason: 'It is out of scope.',
		};
	}
	if (has('[error]'))
		return { status: 'error', answer: 'The question could not be processed.', ...time };
	const answer = review(question);
	const report = {
		fileName: 'Review report.md',
		contentType: 'text/markdown',
		content: Buffer.from(answer),
	};
	return { status: 'completed', answer, attachments: has('[file]') ? [report] : [], ...time };
}

function review({ text, attachments }: Parameters<typeof madeUpAnswer>[0]) {
	const words = text.trim().split(/\s+/);
	const files = attachments.map((attachment) =>
		attachment.kind === 'url'
			? `- ${attachment.url}`
			: `- ${attachment.fileName} (${attachment.contentLength} bytes, sha256 ${attachment.sha256})`,
	);
	return [
		'Review',
		`You asked: "${words.slice(0, 12).join(' ')}${words.length > 12 ? ' …' : ''}"`,
		files.length === 0 ? 'No documents were attached.' : `Documents reviewed:\n${files.join('\n')}`,
		'1. Liability is capped at the fees of twelve months; the playbook accepts this.',
		'2. The term renews by itself; ask for thirty days of notice.',
		'The sandbox service made up this answer. It is not legal advice.',
	].join('\n\n');
}
