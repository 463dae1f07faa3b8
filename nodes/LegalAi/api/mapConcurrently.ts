/**
 * Does the same work for several entries, `limit` at a time. The results keep the order of the entries. After a failure, no
 * further entry is begun, and the error is thrown once nothing is under way.
 */
export async function mapConcurrently<Entry, Result>(
	entries: readonly Entry[],
	limit: number,
	work: (entry: Entry, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const queue = entries.entries();
	let failed = false;
	const worker = async (): Promise<void> => {
		for (const [index, entry] of queue) {
			if (failed) return;
			results[index] = await work(entry, index).catch((error: unknown) => {
				failed = true;
				throw error;
			});
		}
	};
	const outcomes = await Promise.allSettled(Array.from({ length: Math.min(limit, entries.length) }, worker));
	const failure = outcomes.find((outcome) => outcome.status === 'rejected');
	if (failure !== undefined) throw failure.reason;
	return results;
}
