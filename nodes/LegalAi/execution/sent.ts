import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { hashOf } from '../api/client';
import { ApiError, type ErrorKind } from '../api/errors';
import { isRunByOtherNode, runDataOf } from './engine';
import { findNoted, note, removeNotes } from './notes';

/** Something that is about to be sent, for the first, the second, … time. */
export interface Claim {
	/** What tells it from all else that is sent. */
	id: string;
	/**
	 * Notes it, immediately before it is sent.
	 *
	 * @throws {ApiError} if it was noted before, or if a retry can't find that out
	 */
	note: () => Promise<void>;
	/** It certainly was not accepted: it can be sent again, in any retry. */
	takeBack: () => Promise<void>;
}

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

	/** What tells this content, if it is sent now, from all else that is sent. */
	idOf(content: unknown): string {
		return this.noteOf(this.keyOf(content));
	}

	/** This content counts as sent. */
	claim(content: unknown): Claim {
		const { context, isRetry, isNoted, anything } = this;
		const key = this.keyOf(content);
		const id = this.noteOf(key);
		const mark = this.noteOf(anything);
		for (const each of [key, anything]) this.add(each, 1);
		return {
			id,
			note: async () => {
				const before = isNoted ? await note(context, [id, mark], isRetry) : [];
				if (before.includes(id)) throw new ApiError('sendingInterrupted', { maybeAccepted: true });
			},
			takeBack: async () => {
				if (id === this.noteOf(key, -1)) this.add(key, -1);
				this.add(anything, -1);
				if (isNoted) await removeNotes(context, id, this.noteOf(anything));
			},
		};
	}

	/**
	 * What is known against sending these contents in a retry. If more was sent than is found among them, each of the others may be it,
	 * in other words. What was found counts as sent.
	 *
	 * @throws {ApiError} if the store fails
	 */
	async lookUp(contents: readonly unknown[]): Promise<Array<ErrorKind | undefined>> {
		const keys = contents.map((content) => this.keyOf(content));
		const [[, lost] = ['', 0]] = await this.countNoted([this.anything]);
		const found = await this.countNoted(keys);
		const isUnclear = [...found.values()].reduce((sum, count) => sum + count, 0) < lost;
		const reasons = keys.map((key): ErrorKind | undefined => {
			const left = found.get(key) ?? 0;
			if (left === 0) return isUnclear ? 'sentUnclear' : undefined;
			found.set(key, left - 1);
			this.add(key, 1);
			return 'sendingInterrupted';
		});
		const against = reasons.filter((reason) => reason !== undefined);
		this.add(this.anything, Math.min(lost, against.length));
		return reasons;
	}

	/** How many notes in a row there are of each key beyond its count. */
	private async countNoted(keys: string[]): Promise<Map<string, number>> {
		for (let most = 1; ; most *= 2) {
			const ahead = [...new Set(keys)].map(
				(key) =>
					[key, Array.from({ length: most }, (_, index) => this.noteOf(key, index))] as const,
			);
			const noted = await findNoted(
				this.context,
				ahead.flatMap(([, notes]) => notes),
			);
			const counts = ahead.map(
				([key, notes]) => [key, notes.findIndex((each) => !noted.has(each))] as const,
			);
			if (counts.every(([, count]) => count >= 0)) return new Map(counts);
		}
	}

	/** Of whatever this node sends. */
	private get anything(): string {
		return hashOf(this.sender);
	}

	private keyOf(content: unknown): string {
		return hashOf([this.sender, content]);
	}

	private noteOf(key: string, ahead = 0): string {
		return hashOf([key, (this.counts[key] ?? 0) + ahead]);
	}

	private add(key: string, count: number): void {
		this.counts[key] = (this.counts[key] ?? 0) + count;
	}
}
