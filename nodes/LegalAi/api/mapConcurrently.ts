/** Maps entries, `limit` at a time. After a failure none is begun; its error is thrown once nothing is under way. */
export async function mapConcurrently<Entry, Result>(
	entries: readonly Entry[],
	limit: number,
	work: (entry: Entry, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const queue = entries.entries();
	const errors: unknown[] = [];
	const worker = async (): Promise<void> => {
		for (const [index, entry] of queue) {
			if (errors.length > 0) return;
			await work(entry, index).then(
				(result) => (results[index] = result),
				(error: unknown) => errors.push(error),
			);
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, worker));
	if (errors.length > 0) throw errors[0];
	return results;
}
