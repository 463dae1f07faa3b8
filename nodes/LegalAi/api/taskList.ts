import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { LegalAiClient } from './client';
import { FilterIgnoredError } from './errors';
import type { Page } from './page';
import { paginate, type List } from './pagination';
import type { PageQuery } from './pagingInfo';

/** Flags of tasks. The list leaves out the tasks that have one unless it is filtered for. */
export const TASK_FLAGS = ['archived', 'draft'] as const;

/** The list of tasks, and which part of it is wanted. */
export interface TaskList extends Omit<List, 'name'> {
	/** Only tasks that have all of these. */
	flags?: ReadonlyArray<(typeof TASK_FLAGS)[number]>;
}

/**
 * The pages of the list of tasks, with only those that show each of the flags: a service may take the filter for a flag to
 * mean "these, too".
 *
 * @param from where to begin, if not with the first page
 * @throws {FilterIgnoredError} at the end, if there were tasks and none of them shows a flag that was filtered for
 */
export async function* paginateTasks(
	client: LegalAiClient,
	{ flags = [], query, ...list }: TaskList,
	from?: PageQuery,
): AsyncGenerator<Page, void> {
	const filters = Object.fromEntries(flags.map((flag) => [flag, 'true']));
	const unseen = new Set(flags);
	let count = 0;
	for await (const page of paginate(client, { ...list, name: 'tasks', query: { ...query, ...filters } }, from)) {
		for (const flag of unseen) if (page.records.some((task) => task[flag] === true)) unseen.delete(flag);
		count += page.records.length;
		yield { ...page, records: page.records.filter((task) => flags.every((flag) => task[flag] === true)) };
	}
	const [flag] = unseen;
	if (flag !== undefined && count > 0 && from === undefined) {
		throw new FilterIgnoredError({ serviceMessage: fillText(responseDetails.flagNotShown, { count, flag }) });
	}
}
