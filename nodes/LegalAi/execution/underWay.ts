import type { IExecuteFunctions } from 'n8n-workflow';

import { redactedExcerpt } from '../api/redactedExcerpt';
import { callbackResponses } from '../messages/callbackMessages';
import { fillText } from '../messages/template';

/** Many times what can be under way at once. n8n rewrites all notes of a node each time. */
const MAX_NOTES = 2_000;

/** What is written: of two that use the store at once, the second would undo the first. */
let writing: Promise<unknown> = Promise.resolve();

/**
 * Notes of what a run is sending, in the store behind n8n's Remove Duplicates, which outlives the process: what was being sent
 * as n8n was killed is found there when the execution is retried. The store reads, then writes: of two processes that note
 * something for the same node at the same moment, one may lose its note.
 */
export class UnderWay {
	private readonly context: IExecuteFunctions;
	private next: Set<string> | undefined;
	private nextWrite: Promise<Set<string>> = Promise.resolve(new Set<string>());

	constructor(context: IExecuteFunctions) {
		this.context = context;
	}

	/** Notes something before it is sent, as one or more texts. Tells whether one of them was noted before. */
	async note(...texts: string[]): Promise<boolean> {
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
		return texts.some((text) => before.has(text));
	}

	/** Which of these were noted before. If the store fails, a kill at this very moment may send something twice; the rest works. */
	private async record(texts: string[]): Promise<Set<string>> {
		try {
			const options = { mode: 'entries', maxEntries: MAX_NOTES } as const;
			const { processed } = await this.context.helpers.checkProcessedAndRecord(texts, 'node', options);
			return new Set(processed.map(String));
		} catch (error) {
			const { name } = this.context.getNode();
			this.context.logger.warn(fillText(callbackResponses.logNotNoted, { name, message: redactedExcerpt(String(error)) ?? '' }));
			return new Set();
		}
	}
}
