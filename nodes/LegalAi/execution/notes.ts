import type { IExecuteFunctions } from 'n8n-workflow';

import { ApiError, type ApiErrorKind, redactedExcerpt } from '../api';
import { type callbackResponses, fillText } from '../messages';

/** What is written: of two that use the store at once, the second would undo the first. */
let writing: Promise<unknown> = Promise.resolve();

async function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
	const result = writing.then(act);
	writing = result.catch(() => undefined);
	return await result;
}

/** Those of 2,000 callbacks, and many times what can be under way at once. n8n rewrites all notes of a node each time. */
const MOST_NOTES = 4_000;

/** What is logged if the store fails. */
type FailureText = (typeof callbackResponses)['logNotRecorded' | 'logNotNoted' | 'logSentNotKnown'];

/**
 * Notes of a node, in the store behind n8n's Remove Duplicates, which all processes share and which outlives them. It reads, then
 * writes: of two processes that note something for the same node at the same moment, one may lose its note.
 */
export class Notes {
	private readonly context: IExecuteFunctions;
	private readonly failureText: FailureText;
	private readonly failure: ApiErrorKind | undefined;
	private next: Set<string> | undefined;
	private nextWrite: Promise<Set<string>> = Promise.resolve(new Set<string>());

	/** @param failure is thrown if the store fails; otherwise nothing counts as noted then */
	constructor(context: IExecuteFunctions, failureText: FailureText, failure?: ApiErrorKind) {
		this.context = context;
		this.failureText = failureText;
		this.failure = failure;
	}

	/** Notes texts, and gives those of them that were noted before. */
	async note(...texts: string[]): Promise<string[]> {
		if (this.next === undefined) {
			const batch = (this.next = new Set<string>());
			// Whatever is noted while another note is being written goes with the next.
			this.nextWrite = inTurn(async () => {
				this.next = undefined;
				return await this.record([...batch]);
			});
		}
		for (const text of texts) this.next.add(text);
		const before = await this.nextWrite;
		return texts.filter((text) => before.has(text));
	}

	/** Removes notes. If the store fails, they stay. */
	async remove(...texts: string[]): Promise<void> {
		const { helpers } = this.context;
		await inTurn(
			async () => await helpers.removeProcessed(texts, 'node', { mode: 'entries' }),
		).catch(() => undefined);
	}

	/** Which of these texts are noted. Nothing is noted by that. */
	async find(texts: string[]): Promise<Set<string>> {
		return await inTurn(async () => await this.record(texts, false));
	}

	/** The store says what is new only by recording it: what is not to be kept is removed again. */
	private async record(texts: string[], isKept = true): Promise<Set<string>> {
		const { helpers } = this.context;
		const options = { mode: 'entries', maxEntries: isKept ? MOST_NOTES : undefined } as const;
		try {
			const known = await helpers.checkProcessedAndRecord(texts, 'node', options);
			if (!isKept && known.new.length > 0)
				await helpers.removeProcessed(known.new, 'node', options);
			return new Set(known.processed.map(String));
		} catch (error) {
			const { name } = this.context.getNode();
			this.context.logger.warn(
				fillText(this.failureText, { name, message: redactedExcerpt(String(error)) ?? '' }),
			);
		}
		if (this.failure !== undefined) throw new ApiError(this.failure);
		return new Set();
	}
}
