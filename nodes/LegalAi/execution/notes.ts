import type { IExecuteFunctions } from 'n8n-workflow';

import { redactedExcerpt } from '../api/redactedExcerpt';
import type { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';

/** What is written: of two that use the store at once, the second would undo the first. */
let writing: Promise<unknown> = Promise.resolve();

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
	private next: Set<string> | undefined;
	private nextWrite: Promise<Set<string> | undefined> = Promise.resolve(undefined);

	constructor(context: IExecuteFunctions, failureText: FailureText) {
		this.context = context;
		this.failureText = failureText;
	}

	/** Notes texts, and gives those of them that were noted before; undefined if the store fails. */
	async note(...texts: string[]): Promise<string[] | undefined> {
		if (this.next === undefined) {
			const batch = (this.next = new Set<string>());
			// Whatever is noted while another note is being written goes with the next.
			this.nextWrite = writing.then(async () => {
				this.next = undefined;
				return await this.record([...batch]);
			});
			writing = this.nextWrite;
		}
		for (const text of texts) this.next.add(text);
		const before = await this.nextWrite;
		return before && texts.filter((text) => before.has(text));
	}

	/** Which of these texts are noted, and nothing is noted by that; undefined if the store fails. */
	async find(texts: string[]): Promise<Set<string> | undefined> {
		const found = writing.then(async () => await this.record(texts, false));
		writing = found;
		return await found;
	}

	/** The store only says what is new by recording it: what is not to be kept is removed again. */
	private async record(texts: string[], isKept = true): Promise<Set<string> | undefined> {
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
			return undefined;
		}
	}
}
