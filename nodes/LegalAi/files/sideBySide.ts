/** A run's slots bound what is sent at once; this only bounds what is begun in vain once something has failed. */
const BEGUN_AT_ONCE = 5;

/**
 * Does the same work for several entries side by side. The results keep the order of the entries. After one
 * has failed no further one is begun, and nothing is under way any more when it throws.
 */
export async function sideBySide<Entry, Result>(
	entries: Entry[],
	work: (entry: Entry, index: number) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	const queue = [...entries.entries()];
	const worker = async (): Promise<void> => {
		for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
			const [index, entry] = next;
			results[index] = await work(entry, index);
		}
	};
	const workers = Array.from({ length: BEGUN_AT_ONCE }, async () => {
		await worker().finally(() => (queue.length = 0));
	});
	const failed = (await Promise.allSettled(workers)).find((outcome) => outcome.status === 'rejected');
	if (failed !== undefined) throw failed.reason;
	return results;
}
