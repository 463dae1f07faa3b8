import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { hashOf } from '../api/client';
import { ApiError, type ErrorKind } from '../api/errors';
import { isRunByOtherNode, runDataOf } from './engine';
import type { Entry } from './ledger';
import { findNoted, note, removeNotes } from './notes';

/** Stands for whatever a node sends. No content is null. */
const ANYTHING = null;

/**
 * What a node has sent in an execution, in what that one is a retry of, and in all retries: the one place that tells whether
 * something is what was sent before. It is, if the same node, with the same parameters, sends the same content for the same time:
 * the first, the second, and so on. A loop may ask the same in each round, and n8n stores the counts with the execution; what was
 * noted beyond them is of an execution that n8n was killed over.
 */
export class Sent {
	/** A retry of an execution, also once it has paused and continued. */
	readonly isRetry: boolean;
	/** False for the calls of a tool that another node runs, or that n8n runs outside any execution: they all look the same. */
	private readonly isNoted: boolean;
	private readonly context: IExecuteFunctions;
	private readonly sender: unknown;
	private readonly counts: Record<string, number>;

	/** @param parameters a hash of them */
	constructor(context: IExecuteFunctions, parameters: string) {
		this.context = context;
		const executionId = context.getExecutionId();
		this.isNoted = executionId !== undefined && !isRunByOtherNode(context);
		this.isRetry = this.isNoted && context.getMode() === 'retry';
		// An execution shares the token that n8n makes for resuming it with all retries of it, and theirs.
		const lineage = this.isNoted ? (runDataOf(context)?.resumeToken ?? executionId) : randomUUID();
		this.sender = [lineage, context.getNode().id, parameters];
		const stored: { sent?: Record<string, number> } = this.isNoted
			? context.getContext('node')
			: {};
		this.counts = stored.sent ??= {};
	}

	/** What tells this content, if it is sent now, from all else that is sent; or after so many times more. */
	idOf(content: unknown, ahead = 0): string {
		const key = this.keyOf(content);
		return hashOf([key, (this.counts[key] ?? 0) + ahead]);
	}

	/** This content counts as sent. What is to be noted of it: its ID first. */
	claim(content: unknown): string[] {
		return [content, ANYTHING].map((each) => {
			const id = this.idOf(each);
			this.add(each, 1);
			return id;
		});
	}

	/**
	 * Notes what is sent immediately after this, once.
	 *
	 * @throws {ApiError} if it was noted before, or if a retry can't find that out
	 */
	async note(entry: Entry, content: unknown): Promise<void> {
		if (entry.id !== undefined) return;
		const notes = this.claim(content);
		[entry.id] = notes;
		if (!this.isNoted) return;
		const before = await note(this.context, notes).catch((error: unknown) => {
			if (this.isRetry) throw error;
			return [];
		});
		if (before.some((each) => each === entry.id))
			throw new ApiError('sendingInterrupted', { maybeAccepted: true });
	}

	/** What was noted certainly was not accepted: it can be sent again, in any retry. */
	async takeBack(entry: Entry, content: unknown): Promise<void> {
		const { id } = entry;
		if (id === undefined) return;
		entry.id = undefined;
		this.add(ANYTHING, -1);
		this.add(content, -1);
		// The same content was sent after it.
		if (this.idOf(content) !== id) this.add(content, 1);
		if (this.isNoted) await removeNotes(this.context, id, this.idOf(ANYTHING));
	}

	/**
	 * What is known against sending these contents in a retry. If more was sent than is found among them, each of the others may be it,
	 * in other words. What was found counts as sent.
	 *
	 * @throws {ApiError} if the store fails
	 */
	async lookUp(contents: readonly unknown[]): Promise<Array<ErrorKind | undefined>> {
		const times: Record<string, number> = {};
		const ids = contents.map((content) => {
			const key = this.keyOf(content);
			const ahead = times[key] ?? 0;
			times[key] = ahead + 1;
			return this.idOf(content, ahead);
		});
		const marks = [...ids, 'one more'].map((_, ahead) => this.idOf(ANYTHING, ahead));
		const noted = await findNoted(this.context, [...ids, ...marks]);
		const found = contents.filter((_, index) => noted.has(ids[index] ?? ''));
		const lost = marks.filter((mark) => noted.has(mark)).length;
		const isUnclear = found.length < lost;
		for (const content of found) this.add(content, 1);
		this.add(ANYTHING, isUnclear ? Math.min(lost, ids.length) : lost);
		return ids.map((id) => {
			if (noted.has(id)) return 'sendingInterrupted';
			return isUnclear ? 'sentUnclear' : undefined;
		});
	}

	private keyOf(content: unknown): string {
		return hashOf([this.sender, content]);
	}

	private add(content: unknown, count: number): void {
		const key = this.keyOf(content);
		this.counts[key] = (this.counts[key] ?? 0) + count;
	}
}
