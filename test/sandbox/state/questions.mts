import type { Clock } from '../clock.mts';
import { notFound, Refusal } from '../errors.mts';
import { Journal } from '../journal.mts';
import type { SandboxSettings } from '../options.mts';
import type { Random } from '../random.mts';
import { madeUpAnswer, type Outcome } from './answers.mts';
import type { Callbacks } from './callbacks.mts';
import type { Files } from './files.mts';
import type { Assistant } from './organization.mts';

/** A file or address that a question was asked with. */
export type AskedAttachment =
	| { readonly kind: 'url'; readonly url: string; readonly unzip: boolean }
	| {
			readonly kind: 'upload';
			readonly jobId: string;
			readonly fileName: string;
			readonly contentType: string;
			readonly contentLength: number;
			readonly sha256: string;
			readonly unzip: boolean;
	  };

/** The body of a request to ask. */
export interface NewQuestion {
	readonly question: string;
	readonly attachments: readonly { readonly upload_job_id?: string; readonly url?: string; readonly unzip: boolean }[];
	readonly session_id?: string;
	readonly permissions?: { readonly visibility: string };
	readonly callback_url?: string;
	readonly sync_mode: boolean;
}

/** A question as it was asked. */
export interface Asking {
	readonly text: string;
	readonly attachments: readonly AskedAttachment[];
	/** Undefined for a new session. */
	readonly sessionId: string | undefined;
	readonly visibility: string | undefined;
	readonly callbackUrl: string | undefined;
	readonly syncMode: boolean;
}

/** A question and its outcome. */
export interface Question extends Asking {
	readonly id: string;
	readonly assistantId: string;
	/** The session that it continues or opened; undefined if it was declined. */
	sessionId: string | undefined;
	readonly followUp: boolean;
	/** Sandbox milliseconds. */
	readonly askedAt: number;
	status: 'in_progress' | 'completed' | 'error' | 'filtered';
	answer: string | null;
	reason: string | null;
	/** Ids of its files in `files.generated`. */
	generated: string[];
}

interface Pending {
	readonly outcome: Outcome;
	readonly cancel: () => void;
}

/** Sessions and the life of their questions (specification, "Question status"). */
export class Questions {
	readonly journal = new Journal<Question>('question');
	readonly #byId = new Map<string, Question>();
	readonly #pending = new Map<string, Pending>();
	readonly #ended = new Map<string, () => void>();
	readonly #clock: Clock;
	readonly #random: Random;
	readonly #settings: SandboxSettings;
	readonly #files: Files;
	readonly #callbacks: Callbacks;

	constructor(parts: { clock: Clock; random: Random; settings: SandboxSettings }, files: Files, callbacks: Callbacks) {
		this.#clock = parts.clock;
		this.#random = parts.random;
		this.#settings = parts.settings;
		this.#files = files;
		this.#callbacks = callbacks;
	}

	/** The question that a body asks, with its files. */
	read(body: NewQuestion): Asking {
		return {
			text: body.question,
			visibility: body.permissions?.visibility,
			sessionId: body.session_id,
			callbackUrl: body.callback_url,
			syncMode: body.sync_mode,
			attachments: body.attachments.map(({ upload_job_id: id = '', url, unzip }) => {
				if (url !== undefined) return { kind: 'url', url, unzip };
				const { jobId, fileName, contentType, upload: { contentLength, sha256 } } = this.#files.uploaded(id);
				return { kind: 'upload', jobId, fileName, contentType, contentLength, sha256, unzip };
			}),
		};
	}

	/** Accepts a question, or declines it. */
	ask(assistant: Assistant, asking: Asking): Question {
		const followUp = asking.sessionId !== undefined;
		if (asking.sessionId !== undefined) this.#checkSession(assistant.id, asking.sessionId);
		const id = this.#random.uuid();
		const question: Question = {
			...asking,
			id,
			assistantId: assistant.id,
			sessionId: asking.sessionId ?? id,
			followUp,
			askedAt: this.#clock.now(),
			status: 'in_progress',
			answer: null,
			reason: null,
			generated: [],
		};
		const outcome = declined(assistant, question) ?? this.#outcome(question);
		this.#byId.set(id, question);
		if (outcome.status === 'filtered') {
			question.sessionId = undefined;
			this.journal.add(question);
			void this.#settle(question, outcome);
			return question;
		}
		const wait = outcome.after ?? this.#random.between(...this.#settings.answerTime);
		const cancel = this.#clock.after(wait, () => void this.#settle(question, outcome));
		this.#pending.set(id, { outcome, cancel });
		this.journal.add(question);
		return question;
	}

	get(id: string): Question {
		const question = this.#byId.get(id);
		if (question === undefined) throw notFound('Question not found');
		return question;
	}

	/** Ends a question now, as planned or as given. Resolves once its callback, if any, was attempted. */
	async complete(id: string, instead: Partial<Outcome> = {}): Promise<void> {
		const question = this.get(id);
		const pending = this.#pending.get(id);
		if (pending === undefined) throw new Error(`Question ${id} is ${question.status} already`);
		await this.#settle(question, { ...pending.outcome, ...instead });
	}

	/** Sends the callback when a question has ended, which may be now. */
	whenEnded(question: Question, ended: () => void): void {
		if (question.status === 'in_progress') this.#ended.set(question.id, ended);
		else ended();
	}

	/** The Question as the API shows it. */
	view(question: Question): Record<string, unknown> {
		const { id, sessionId, status, answer, reason, generated } = question;
		return {
			id,
			session_id: sessionId ?? null,
			session_url: sessionId === undefined ? null : `https://app.legal-ai.example/sessions/${sessionId}`,
			status,
			answer,
			attachments: status === 'completed' ? generated.map((file) => this.#files.attachment(file)) : null,
			reason,
		};
	}

	reset(): void {
		this.journal.clear();
		this.#byId.clear();
		this.#pending.clear();
		this.#ended.clear();
	}

	#checkSession(assistantId: string, sessionId: string): void {
		const last = this.journal.entries.findLast((question) => question.sessionId === sessionId);
		if (last?.assistantId !== assistantId) throw notFound('Session not found');
		if (last.status === 'in_progress') {
			throw new Refusal(400, 'session_still_processing', 'A previous question in this session is still being processed');
		}
	}

	#outcome(question: Question): Outcome {
		const outcome = (this.#settings.answer ?? madeUpAnswer)(question);
		return outcome.status === 'filtered' && question.followUp ? { ...outcome, status: 'completed' } : outcome;
	}

	async #settle(question: Question, outcome: Outcome): Promise<void> {
		this.#pending.get(question.id)?.cancel();
		this.#pending.delete(question.id);
		question.status = outcome.status;
		question.answer = outcome.answer;
		question.reason = outcome.status === 'filtered' ? (outcome.reason ?? null) : null;
		if (outcome.status === 'completed') {
			question.generated = (outcome.attachments ?? []).map((file) => this.#files.keepGenerated(file));
		}
		this.journal.changed(question);
		this.#ended.get(question.id)?.();
		this.#ended.delete(question.id);
		if (question.callbackUrl === undefined || question.syncMode) return;
		await this.#callbacks.send(question.id, question.callbackUrl, this.view(question));
	}
}

/** How an assistant with an intake instruction declines a new question that does not match it. */
function declined({ intake }: Assistant, { text, followUp }: Question): Outcome | undefined {
	if (intake === null || followUp) return undefined;
	const lower = text.toLowerCase();
	if (intake.keywords.some((keyword) => lower.includes(keyword))) return undefined;
	return { status: 'filtered', answer: intake.declineAnswer, reason: intake.declineReason };
}
