import type { IExecuteFunctions } from 'n8n-workflow';

import { hashOf } from '../api/client';
import { ApiError, type ErrorKind } from '../api/errors';
import { executionStateOf } from './engine';
import type { Entry } from './ledger';
import { findNoted, note, removeNotes } from './notes';

/** Stands for whatever a node sends. No content is null. */
const ANYTHING = null;

/**
 * What a node has sent in an execution, in what that one is a retry of, and in all retries: the one place that tells whether
 * something is what was sent before. It is, if the same node, with the same parameters, sends the same content for the same time:
 * the first, the second, and so on. A loop may ask the same in each round, and n8n stores the counts with the execution; what was
 * noted beyond them is of an execution that n8n was killed over.
 *
 * @param parameters a hash of them
 */
export function sentOf(context: IExecuteFunctions, parameters: string) {
	/** A retry of an execution, also once it has paused and continued. */
	const isRetry = context.getMode() === 'retry';
	// An execution shares the token that n8n makes for resuming it with all retries of it, and theirs.
	const lineage = executionStateOf(context)?.resumeToken ?? context.getExecutionId();
	const sender = [lineage, context.getNode().id, parameters];
	const stored: { sent?: Record<string, number> } = context.getContext('node');
	const counts = (stored.sent ??= {});

	const keyOf = (content: unknown) => hashOf([sender, content]);
	const add = (content: unknown, count: number) => {
		const key = keyOf(content);
		counts[key] = (counts[key] ?? 0) + count;
	};
	/** What tells this content, if it is sent now, from all else that is sent; or after so many times more. */
	const idOf = (content: unknown, ahead = 0) => {
		const key = keyOf(content);
		return hashOf([key, (counts[key] ?? 0) + ahead]);
	};
	/** This content counts as sent. What is to be noted of it: its ID first. */
	const claim = (content: unknown): string[] =>
		[content, ANYTHING].map((each) => {
			const id = idOf(each);
			add(each, 1);
			return id;
		});

	return {
		isRetry,
		idOf,
		claim,

		/**
		 * Notes what is sent immediately after this, once.
		 *
		 * @throws {ApiError} if it was noted before, or if a retry can't find that out
		 */
		async note(entry: Entry, content: unknown) {
			if (entry.sentId !== undefined) return;
			const notes = claim(content);
			[entry.sentId] = notes;
			const before = await note(context, notes).catch((error: unknown) => {
				if (isRetry) throw error;
				return [];
			});
			if (before[0] === entry.sentId)
				throw new ApiError('sendingInterrupted', { maybeAccepted: true });
		},

		/** What was noted certainly was not accepted: it can be sent again, in any retry. */
		async takeBack(entry: Entry, content: unknown) {
			const { sentId: id } = entry;
			if (id === undefined) return;
			entry.sentId = undefined;
			// Unless the same content was sent after it.
			const isLatest = idOf(content, -1) === id;
			const count = (by: number) => {
				add(ANYTHING, by);
				if (isLatest) add(content, by);
			};
			count(-1);
			// As long as it is noted, it counts: the next try is told from it.
			await removeNotes(context, id, idOf(ANYTHING)).catch(() => count(1));
		},

		/**
		 * For each content, why a retry must not send it; undefined if it is safe. What was found counts as sent.
		 *
		 * Each send has left two notes: of its content, for the nth time; and of anything, for the mth time. More of the latter than
		 * contents that are found: the content of some has changed, and each that is not found may be one of them. A loop may have sent
		 * in later rounds, too, so one number more is looked up than there are items.
		 *
		 * @throws {ApiError} if the store fails
		 */
		async lookUp(contents: readonly unknown[]): Promise<Array<ErrorKind | undefined>> {
			const times: Record<string, number> = {};
			const ids = contents.map((content) => {
				const key = keyOf(content);
				const ahead = times[key] ?? 0;
				times[key] = ahead + 1;
				return idOf(content, ahead);
			});
			const sendNumbers = [...ids, 'one more'].map((_, ahead) => idOf(ANYTHING, ahead));
			const noted = await findNoted(context, [...ids, ...sendNumbers]);
			const found = contents.filter((_, index) => noted.has(ids[index] ?? ''));
			const sendsBeforeCrash = sendNumbers.filter((sendNumber) => noted.has(sendNumber)).length;
			const isUnclear = found.length < sendsBeforeCrash;
			for (const content of found) add(content, 1);
			add(ANYTHING, isUnclear ? Math.min(sendsBeforeCrash, ids.length) : sendsBeforeCrash);
			return ids.map((id) => {
				if (noted.has(id)) return 'sendingInterrupted';
				return isUnclear ? 'sentUnclear' : undefined;
			});
		},
	};
}
