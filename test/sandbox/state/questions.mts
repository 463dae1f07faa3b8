import { notFound, Refusal } from '../errors.mts';
import { Journal } from '../journal.mts';
import type { Random } from '../random.mts';
import type { Service } from '../service.mts';
import { madeUpAnswer, type Outcome } from './answers.mts';
import type { Assistant } from './organization.mts';

/** A file or address that a question was asked with. */
export type AskedAttachment =
	| { kind: 'url'; url: string; unzip: boolean }
	| {
			kind: 'upload';
			jobId: string;
			fileName: string;
			contentType: string;
			contentLength: number;
			sha256: string;
			unzip: boolean;
	  };

/** The body of a request to ask. */
export interface NewQuestion {
	question: string;
	attachments: readonly {
		upload_job_id?: string;
		url?: string;
		unzip: boolean;
	}[];
	session_id?: string;
	permissions?: { visibility: string };
	callback_url?: string;
	sync_mode: boolean;
}

/** A question and its outcome. */
export interface Question {
	id: string;
	assistantId: string;
	text: string;
	attachments: readonly AskedAttachment[];
	visibility: string | undefined;
	callbackUrl: string | undefined;
	syncMode: boolean;
	/** The session that it continues or opened; undefined if it was declined. */
	sessionId: string | undefined;
	followUp: boolean;
	/** Sandbox milliseconds. */
	askedAt: number;
	status: 'in_progress' | 'completed' | 'error' | 'filtered';
	answer: string | null;
	reason: string | null;
	/** Ids of its files in `files.generated`. */
	generated: string[];
}

interface Pending {
	outcome: Outcome;
	cancel: () => void;
	whenEnded?: () => void;
}

/** What questions need of the sandbox. */
type Around = Pick<Service, 'clock' | 'settings' | 'sessionLimit' | 'files' | 'callbacks'>;

/** Sessions and the life of their questions (specification, "Question status"). */
export class Questions {
	journal = new Journal<Question>('question');
	#pending = new Map<string, Pending>();
	#around;
	#random;

	constructor(around: Around, random: Random) {
		this.#around = around;
		this.#random = random;
	}

	/** Accepts a question, or declines it. Only a new session that is valid counts toward the limit. */
	ask(assistant: Assistant, body: NewQuestion) {
		const { clock, settings, sessionLimit } = this.#around;
		const attachments = body.attachments.map((each) => this.#attached(each));
		if (body.session_id === undefined) sessionLimit.take();
		else this.#checkSession(assistant.id, body.session_id);
		const id = this.#random.uuid();
		const question: Question = {
			id,
			assistantId: assistant.id,
			text: body.question,
			attachments,
			visibility: body.permissions?.visibility,
			callbackUrl: body.callback_url,
			syncMode: body.sync_mode,
			sessionId: body.session_id ?? id,
			followUp: body.session_id !== undefined,
			askedAt: clock.now(),
			status: 'in_progress',
			answer: null,
			reason: null,
			generated: [],
		};
		const outcome = declined(assistant, question) ?? this.#outcome(question);
		if (outcome.status === 'filtered') {
			question.sessionId = undefined;
			this.journal.add(question);
			void this.#settle(question, outcome);
			return question;
		}
		const wait = outcome.after ?? this.#random.between(...settings.answerTime);
		const cancel = clock.after(wait, () => void this.#settle(question, outcome));
		this.#pending.set(id, { outcome, cancel });
		this.journal.add(question);
		return question;
	}

	get(id: string) {
		const question = this.journal.entries.find((each) => each.id === id);
		if (question === undefined) throw notFound('Question not found');
		return question;
	}

	/** The last question with this text, or the first of all. */
	asked(text?: string) {
		const { entries } = this.journal;
		const question =
			text === undefined ? entries[0] : entries.findLast((each) => each.text === text);
		if (question === undefined) throw new Error(`"${text ?? ''}" was not asked`);
		return question;
	}

	/** Ends a question now, as planned or as given. Resolves once its callback, if any, was attempted. */
	async complete(id: string, instead: Partial<Outcome> = {}) {
		const question = this.get(id);
		const pending = this.#pending.get(id);
		if (pending === undefined) throw new Error(`Question ${id} is ${question.status} already`);
		await this.#settle(question, { ...pending.outcome, ...instead });
	}

	/** Calls back when a question has ended, which may be now. */
	whenEnded({ id }: Question, ended: () => void) {
		const pending = this.#pending.get(id);
		if (pending === undefined) ended();
		else pending.whenEnded = ended;
	}

	/** The Question as the API shows it. */
	view(question: Question): Record<string, unknown> {
		const { id, sessionId, status, answer, reason, generated } = question;
		return {
			id,
			session_id: sessionId ?? null,
			session_url:
				sessionId === undefined ? null : `https://app.legal-ai.example/sessions/${sessionId}`,
			status,
			answer,
			attachments:
				status === 'completed'
					? generated.map((file) => this.#around.files.attachment(file))
					: null,
			reason,
		};
	}

	reset() {
		this.journal.clear();
		this.#pending.clear();
	}

	#attached({
		upload_job_id: id = '',
		url,
		unzip,
	}: NewQuestion['attachments'][number]): AskedAttachment {
		if (url !== undefined) return { kind: 'url', url, unzip };
		const {
			jobId,
			fileName,
			contentType,
			upload: { contentLength, sha256 },
		} = this.#around.files.uploaded(id);
		return { kind: 'upload', jobId, fileName, contentType, contentLength, sha256, unzip };
	}

	#checkSession(assistantId: string, sessionId: string) {
		const last = this.journal.entries.findLast((question) => question.sessionId === sessionId);
		if (last?.assistantId !== assistantId) throw notFound('Session not found');
		if (last.status === 'in_progress') {
			throw new Refusal(
				400,
				'session_still_processing',
				'A previous question in this session is still being processed',
			);
		}
	}

	#outcome(question: Question): Outcome {
		const outcome = (this.#around.settings.answer ?? madeUpAnswer)(question);
		return outcome.status === 'filtered' && question.followUp
			? { ...outcome, status: 'completed' }
			: outcome;
	}

	async #settle(question: Question, outcome: Outcome) {
		const pending = this.#pending.get(question.id);
		pending?.cancel();
		this.#pending.delete(question.id);
		question.status = outcome.status;
		question.answer = outcome.answer;
		question.reason = outcome.status === 'filtered' ? (outcome.reason ?? null) : null;
		if (outcome.status === 'completed') {
			question.generated = (outcome.attachments ?? []).map((file) =>
				this.#around.files.keepGenerated(file),
			);
		}
		this.journal.changed(question);
		pending?.whenEnded?.();
		if (question.callbackUrl === undefined || question.syncMode) return;
		await this.#around.callbacks.send(question.id, question.callbackUrl, this.view(question));
	}
}

/** How an assistant with an intake instruction declines a new question that does not match it. */
function declined({ intake }: Assistant, { text, followUp }: Question): Outcome | undefined {
	if (intake === null || followUp) return undefined;
	const lower = text.toLowerCase();
	if (intake.keywords.some((keyword) => lower.includes(keyword))) return undefined;
	return { status: 'filtered', answer: intake.declineAnswer, reason: intake.declineReason };
}
