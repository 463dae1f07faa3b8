import type { IExecuteFunctions } from 'n8n-workflow';

import { hashOf } from '../api/account';
import type { ApiErrorKind } from '../api/errors';
import { callbackResponses } from '../messages/callbackMessages';
import { lineageOf } from './executionStack';
import { executionIdOf, isRunByOtherNode } from './ledgerStorage';
import { Notes } from './notes';

/**
 * What a node has sent in an execution, in what that one is a retry of, and in all retries: the one place that tells whether
 * something is what was sent before. It is, if the same node, with the same parameters, sends the same content for the same time:
 * the first, the second, and so on. A loop may ask the same in each round, and n8n stores the counts with the execution; what was
 * noted beyond them is of an execution that n8n was killed over.
 */
export class Sent {
	/** A retry of an execution, also once it has paused and continued. */
	readonly isRetry: boolean;
	private readonly notes: Notes;
	private readonly sender: unknown;
	private readonly counts: Record<string, number>;

	/** @param parameters a hash of them */
	private constructor(context: IExecuteFunctions, executionId: string, parameters: string) {
		this.isRetry = context.getMode() === 'retry';
		this.notes = new Notes(
			context,
			this.isRetry ? callbackResponses.logSentNotKnown : callbackResponses.logNotNoted,
		);
		const stored: { lineage?: string; sent?: Record<string, number> } = context.getContext('node');
		const lineage = lineageOf(context) ?? (stored.lineage ??= executionId);
		this.sender = [lineage, context.getNode().name, parameters];
		this.counts = stored.sent ??= {};
	}

	/** Undefined for the calls of a tool that another node runs, or that n8n runs outside any execution: they all look the same. */
	static of(context: IExecuteFunctions, parameters: string): Sent | undefined {
		const executionId = executionIdOf(context);
		if (executionId === undefined || isRunByOtherNode(context)) return undefined;
		return new Sent(context, executionId, parameters);
	}

	/** What tells this content, if it is sent now, from all else that is sent. */
	idOf(content: unknown): string {
		return this.noteOf(this.keyOf(content));
	}

	/** The content counts as sent. */
	count(content: unknown): void {
		for (const key of [this.keyOf(content), this.anything]) this.add(key, 1);
	}

	/**
	 * Notes that this content is being sent, and counts it.
	 *
	 * @returns what is known against sending it; undefined if nothing is
	 */
	async note(content: unknown): Promise<ApiErrorKind | undefined> {
		const id = this.idOf(content);
		const ordinal = this.noteOf(this.anything);
		this.count(content);
		const before = await this.notes.note(id, ordinal);
		if (before === undefined) return this.isRetry ? 'sentNotKnown' : undefined;
		return before.includes(id) ? 'sendingInterrupted' : undefined;
	}

	/**
	 * What is known against sending these contents in a retry. If more was sent than is found among them, each of the others may be it,
	 * in other words. What was found counts as sent.
	 */
	async lookUp(contents: readonly unknown[]): Promise<Array<ApiErrorKind | undefined>> {
		const keys = contents.map((content) => this.keyOf(content));
		const found = await this.countNoted([this.anything, ...new Set(keys)]);
		if (found === undefined) return keys.map(() => 'sentNotKnown');
		const lost = found.get(this.anything) ?? 0;
		found.delete(this.anything);
		const isUnclear = [...found.values()].reduce((sum, count) => sum + count, 0) < lost;
		const known = keys.map((key): ApiErrorKind | undefined => {
			const left = found.get(key) ?? 0;
			if (left === 0) return isUnclear ? 'sentUnclear' : undefined;
			found.set(key, left - 1);
			this.add(key, 1);
			return 'sendingInterrupted';
		});
		this.add(this.anything, Math.min(lost, known.filter((kind) => kind !== undefined).length));
		return known;
	}

	/** How many notes there are of each key beyond its count; undefined if the store fails. */
	private async countNoted(keys: string[]): Promise<Map<string, number> | undefined> {
		const found = new Map(keys.map((key) => [key, 0]));
		let left = keys;
		for (let step = 1; left.length > 0; step *= 2) {
			const ahead = left.map((key): [string, string[]] => {
				const from = found.get(key) ?? 0;
				return [key, Array.from({ length: step }, (_, index) => this.noteOf(key, from + index))];
			});
			const noted = await this.notes.find(ahead.flatMap(([, notes]) => notes));
			if (noted === undefined) return undefined;
			left = [];
			for (const [key, notes] of ahead) {
				const end = notes.findIndex((note) => !noted.has(note));
				found.set(key, (found.get(key) ?? 0) + (end === -1 ? step : end));
				if (end === -1) left.push(key);
			}
		}
		return found;
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
