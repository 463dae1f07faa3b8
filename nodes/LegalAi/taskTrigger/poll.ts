import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	collect,
	hasKind,
	paginateTasks,
	readTask,
	SERVICE_LIMITS,
	userOf,
	type Page,
	type Task,
} from '../api';
import { createClient } from '../connection/createClient';
import { toNodeError } from '../errors/nodeError';
import { fillText, invalidInput, taskTriggerLog, taskTriggerMessages } from '../messages';
import { daysFromToday, NO_ITEM, timezoneOf } from '../parameters';
import { filteredList } from '../resources/task/filters';
import { taskItem } from '../resources/task/taskFields';
import { compare, eventHash, MISSED, MOST_KNOWN, shortHash, type Known } from './known';
import { taskTriggerParameters } from './properties';

/** After this, nothing is tried again: n8n waits for the first poll of a publication, and the next poll sees it all. */
const TIMEOUT_MS = 20_000;
const MANY_REQUESTS = SERVICE_LIMITS.requestsPerMinute / 2;
/** If n8n has not stored by then what a poll knows that has started something, it has discarded that poll. */
const STORING_MS = 60_000;

/** The triggers that poll right now, by their workflows and names. Without it, two polls at once would start a workflow twice with a task. */
const polling = new Set<string>();
/**
 * What n8n has polled with: an object for all polls from a publication on, or from a start of n8n. Without it, each poll would count as
 * the publication, which starts nothing.
 */
const polled = new WeakSet<IPollFunctions>();
/**
 * How the last poll of a trigger ended. Under its durable scheduler, n8n stores that a moment later, or not at all if nothing was
 * started (0). Without it, a poll in between would start a workflow twice with a task.
 */
const lastPolls = new BoundedMap<
	string,
	{ from: string | undefined; after: Known; storedBy: number }
>(1_000);

/**
 * Lists the tasks, and returns those that start the workflow. n8n does not wait for a poll that takes long before it begins
 * the next one, which then starts nothing.
 *
 * @throws {NodeApiError | NodeOperationError} if the list can't be read to its end: what is known stays as it was
 */
export async function pollTasks(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polled.has(context);
	polled.add(context);
	const activation = context.getActivationMode();
	const trigger = `${context.getWorkflow().id} ${context.getNode().name}`;
	const isPublication = isFirst && ['activate', 'create'].includes(activation);
	const isOneOfMany = !isPublication && context.getMode() !== 'manual';
	if (isOneOfMany && polling.has(trigger)) return null;
	if (isOneOfMany) polling.add(trigger);
	try {
		const items = await startingItems(context, trigger, isPublication);
		return items.length === 0 ? null : [items];
	} catch (error) {
		// The next poll has one credential.
		if (hasKind(error, 'credentialChanged')) return null;
		const nodeError = toNodeError(context.getNode(), error);
		if (!isFirst || !['init', 'leadershipChange'].includes(activation)) throw nodeError;
		// If the first poll after a restart fails, n8n takes down the trigger, and only publishing it again would bring it back.
		context.logger.warn(
			fillText(taskTriggerLog.notChecked, {
				name: context.getNode().name,
				message: nodeError.message,
			}),
		);
		return null;
	} finally {
		if (isOneOfMany) polling.delete(trigger);
	}
}

async function startingItems(
	context: IPollFunctions,
	trigger: string,
	isPublication: boolean,
): Promise<INodeExecutionData[]> {
	const timezone = timezoneOf(context);
	const { on, filters, isSimplified } = taskTriggerParameters.read(
		(name) => context.getNodeParameter(name, null),
		{ ...NO_ITEM, timezone },
	);
	const client = await createClient(context, { deadline: Date.now() + TIMEOUT_MS });
	const { start: today, end } = daysFromToday(timezone, on.kind === 'due' ? on.daysBefore : 0);
	const pagesSince = (since: string): AsyncGenerator<Page, void> => {
		const list = filteredList(filters);
		if (on.kind === 'statusReached') list.statuses = on.statuses;
		if (on.kind === 'due') {
			list.query.complete_by_from = on.includeOverdue ? undefined : since;
			list.query.complete_by_to = end;
		}
		return paginateTasks(client, { ...list, pageSize: SERVICE_LIMITS.pageSize });
	};
	if (context.getMode() === 'manual') {
		// The specification does not show all fields of a task: without this one, the first task of the list counts as the newest.
		const creation = ({ created_at: at }: Task): number => Date.parse(String(at)) || 0;
		const [newest] = (await collect(pagesSince(today), 500, readTask)).sort(
			(a, b) => creation(b) - creation(a),
		);
		if (newest === undefined) throw invalidInput(taskTriggerMessages.noTask);
		return [taskItem(newest, isSimplified)];
	}

	const stored: Partial<Known> = context.getWorkflowStaticData('node');
	const last = lastPolls.get(trigger);
	const isNotStored = last !== undefined && last.from === stored.tasks;
	if (isNotStored && !isPublication && Date.now() < last.storedBy) return [];
	// What was missed by a poll long ago may have been found since.
	const isFresh = last?.after.tasks === stored.tasks;
	const before = isFresh ? stored : { ...stored, tasks: stored.tasks?.replaceAll(MISSED, '') };
	const kept = isNotStored && last.storedBy === 0 ? [last.after, before] : [before];
	const user = await userOf(client);

	const { name, parameters } = context.getNode();
	// As they are saved: what an expression gives may be another text each time.
	const about = shortHash([on.kind, parameters.statuses, parameters.filters]);
	const { since, isOtherUser, isNew, knownAfter } = compare(kept, {
		event: on.kind,
		about,
		user,
		today,
		isPublication,
	});

	const items: INodeExecutionData[] = [];
	const listed = new Set<string>();
	let requests = 0;
	for await (const { records } of pagesSince(since)) {
		requests++;
		for (const task of records.map(readTask)) {
			const hash = eventHash(on.kind, task);
			if (isNew(hash)) items.push(taskItem(task, isSimplified));
			listed.add(hash);
		}
		if (listed.size > MOST_KNOWN) throw invalidInput(taskTriggerMessages.tooManyTasks);
	}
	if (isOtherUser) context.logger.warn(fillText(taskTriggerLog.otherUser, { name }));
	if (requests > MANY_REQUESTS)
		context.logger.warn(fillText(taskTriggerLog.manyRequests, { name, requests }));
	const after = knownAfter(listed);
	lastPolls.set(trigger, {
		from: stored.tasks,
		after,
		storedBy: items.length > 0 ? Date.now() + STORING_MS : 0,
	});
	Object.assign(stored, after);
	return items;
}
