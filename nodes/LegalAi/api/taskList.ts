import { responseDetails } from '../messages/responseDetails';
import { fillText } from '../messages/template';
import type { LegalAiClient } from './client';
import { ApiError } from './errors';
import { paginate, type List, type Page } from './pagination';

/** Flags of tasks. The list leaves out the tasks that have one unless it is filtered for. */
export const TASK_FLAGS = ['archived', 'draft'] as const;

/** The list of tasks, and which part of it is wanted. */
export interface TaskList extends Omit<List, 'name'> {
	/** Only tasks that have all of these. */
	flags?: ReadonlyArray<(typeof TASK_FLAGS)[number]>;
}

/**
 * The pages of the list of tasks.
 *
 * @param from the cursor to begin with, if not with the first page
 * @throws {ApiError} of kind `filterIgnored` if a task says that it lacks a flag that was filtered for
 */
export async function* paginateTasks(
	client: LegalAiClient,
	{ flags = [], query, ...list }: TaskList,
	from?: string,
): AsyncGenerator<Page, void> {
	const filters = Object.fromEntries(flags.map((flag) => [flag, 'true']));
	for await (const page of paginate(client, { ...list, name: 'tasks', query: { ...query, ...filters } }, from)) {
		const flag = flags.find((each) => page.records.some((task) => task[each] === false));
		if (flag !== undefined) throw new ApiError('filterIgnored', { serviceMessage: fillText(responseDetails.flagFalse, { flag }) });
		yield page;
	}
}
