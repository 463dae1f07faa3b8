import { readFileSync } from 'node:fs';
import { parse } from 'node:path';

import type { GeneratedFile } from './files.mts';
import { madeUpFields, textBeforeFields } from './madeUpFields.mts';
import type { AskedAttachment, Question } from './questions.mts';

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

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const readFixture = (path: string) => readFileSync(new URL(path, import.meta.url));
const redline = readFixture('../files/redline.docx');
const draft = readFixture('../../../examples/contracts/services-agreement.docx');

/** What a made-up answer depends on. */
type Asked = Pick<Question, 'text' | 'attachments' | 'followUp'>;

/**
 * The made-up legal review that is the answer unless a test scripts another one: with a redline or a draft if the question asks for
 * one, and with values for its answer fields.
 */
export function madeUpAnswer(question: Asked): Outcome {
	const { text, followUp } = question;
	const has = (trigger: keyof typeof TRIGGERS) => text.includes(trigger);
	const time = has('[now]') ? { after: 0 } : {};
	if (has('[filtered]') && !followUp) {
		return {
			status: 'filtered',
			answer: 'This request was declined at intake.',
			reason: 'It is out of scope.',
		};
	}
	if (has('[error]'))
		return { status: 'error', answer: 'The question could not be processed.', ...time };
	const answer = [review(question), madeUpFields(text)].filter(Boolean).join('\n\n');
	const report = {
		fileName: 'Review report.md',
		contentType: 'text/markdown',
		content: Buffer.from(answer),
	};
	const attachments = has('[file]') ? [report] : documentsFor(question);
	return { status: 'completed', answer, attachments, ...time };
}

function readFileName(attachment: AskedAttachment) {
	if (attachment.kind === 'upload') return attachment.fileName;
	return decodeURIComponent(new URL(attachment.url).pathname);
}

/** The redline of the first document, or the draft, that a question asks for. */
function documentsFor({ text, attachments: [document] }: Asked): GeneratedFile[] {
	if (/\bredline\b/i.test(text) && document !== undefined) {
		const fileName = `${parse(readFileName(document)).name}-redline.docx`;
		return [{ fileName, contentType: WORD, content: redline }];
	}
	if (/^Draft\b/im.test(text))
		return [{ fileName: 'draft.docx', contentType: WORD, content: draft }];
	return [];
}

function review({ text, attachments }: Asked) {
	const words = textBeforeFields(text).trim().split(/\s+/);
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
