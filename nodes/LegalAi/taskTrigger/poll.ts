import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { collect } from '../api/pagination';
import { paginateTasks, readTask, type Task, type TaskList } from '../api/tasks';
import { createClient } from '../execution/connection';
import { toNodeError } from '../execution/nodeError';
import { taskTriggerMessages, taskTriggerLog } from '../messages/taskTriggerMessages';
import { fillText, invalidInput } from '../messages/template';
import { daysFromToday } from '../parameters/dateTime';
import type { ValueOf } from '../parameters/parameter';
import { filteredList } from '../resources/task/filters';
import { taskItem } from '../resources/task/simplify';
import { compare, hashOf, MOST_KNOWN, shortHash, type Known } from './known';
import { taskTriggerParameters } from './properties';

/** After this, nothing is tried again: n8n waits for the first poll of a publication, and the next poll sees it all. */
const TIMEOUT_MS = 20_000;

const PAGE_SIZE = 100;

/** Half of the requests that the service allows in a minute. */
const MANY_REQUESTS = 200;

/** How many tasks the newest one is looked for among. */
const TASKS_LOOKED_AT = 500;

/** The triggers that poll right now, by their workflows and nodes. */
const polling = new Set<string>();

/** What n8n has polled with: an object for all polls from a publication on, or from a start of n8n. */
const polled = new WeakSet<IPollFunctions>();

/**
 * Lists the tasks, and returns those that start the workflow. n8n does not wait for a poll that takes long before it begins
 * the next one, which then starts nothing.
 *
 * @throws {NodeApiError | NodeOperationError} if the list can't be read to its end: what is known stays as it was
 */
export async function pollTasks(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polled.has(context);
	polled.add(context);
	const isPublication = isFirst && isOfPublication(context);
	if (isPublication || context.getMode() === 'manual') return await poll(context, { isFirst, isPublication });
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	if (polling.has(trigger)) return null;
	polling.add(trigger);
	return await poll(context, { isFirst, isPublication }).finally(() => polling.delete(trigger));
}

async function poll(
	context: IPollFunctions,
	{ isFirst, isPublication }: { isFirst: boolean; isPublication: boolean },
): Promise<INodeExecutionData[][] | null> {
	try {
		const items = await startingItems(context, isPublication);
		return items.length === 0 ? null : [items];
	} catch (error) {
		const nodeError = toNodeError(context.getNode(), error);
		if (!isFirst || !['init', 'leadershipChange'].includes(context.getActivationMode())) throw nodeError;
		// If the first poll after a restart fails, n8n takes down the trigger, and only publishing it again would bring it back.
		context.logger.warn(fillText(taskTriggerLog.notChecked, { name: context.getNode().name, message: nodeError.message }));
		return null;
	}
}

async function startingItems(context: IPollFunctions, isPublication: boolean): Promise<INodeExecutionData[]> {
	const parameters = readParameters(context);
	const { on, isSimplified } = parameters;
	const client = await createClient(context, { deadline: Date.now() + TIMEOUT_MS });
	const isTest = context.getMode() === 'manual';
	const known: Partial<Known> = isTest ? {} : context.getWorkflowStaticData('node');
	const { baseUrl, apiKey } = await context.getCredentials('legalAiApi');
	const comparison = compare(known, {
		event: on.kind,
		scope: shortHash([on.kind, baseUrl, apiKey]),
		today: daysFromToday(context.getTimezone(), 0).start,
		isPublication,
	});
	const pages = paginateTasks(client, listOf(parameters, context.getTimezone(), comparison.since));
	if (isTest) {
		const [newest] = (await collect(pages, TASKS_LOOKED_AT, readTask)).sort((a, b) => creationOf(b) - creationOf(a));
		if (newest === undefined) throw invalidInput(taskTriggerMessages.noTask);
		return [taskItem(newest, isSimplified)];
	}

	const items: INodeExecutionData[] = [];
	const listed = new Set<string>();
	let requests = 0;
	for await (const { records } of pages) {
		requests++;
		for (const task of records.map(readTask)) {
			const hash = hashOf(on.kind, task);
			if (!listed.has(hash) && comparison.isNew(hash)) items.push(taskItem(task, isSimplified));
			listed.add(hash);
		}
		if (listed.size > MOST_KNOWN) throw invalidInput(taskTriggerMessages.tooManyTasks);
	}
	if (requests > MANY_REQUESTS) {
		context.logger.warn(fillText(taskTriggerLog.manyRequests, { name: context.getNode().name, requests }));
	}
	Object.assign(known, comparison.knownAfter(listed));
	return items;
}

function readParameters(context: IPollFunctions): ValueOf<typeof taskTriggerParameters> {
	const noItem = { json: {}, files: {}, isFileField: () => false, isExpression: () => false };
	const raw = (name: string): unknown => context.getNodeParameter(name, null);
	return taskTriggerParameters.read(raw, { ...noItem, timezone: context.getTimezone() });
}

function listOf({ on, filters }: ValueOf<typeof taskTriggerParameters>, timezone: string, since: string): TaskList {
	const { query, flags } = filteredList(filters);
	const list = { flags, pageSize: PAGE_SIZE };
	if (on.kind === 'created') return { ...list, query };
	if (on.kind === 'statusReached') return { ...list, query: { ...query, status: on.statuses.join(',') } };
	const from = on.includeOverdue ? undefined : since;
	return { ...list, query: { ...query, complete_by_from: from, complete_by_to: daysFromToday(timezone, on.daysBefore).end } };
}

/** What n8n allows a poll, in ms, unless its durable scheduler begins it. */
const LONGEST_POLL_MS = 5 * 60_000;

/**
 * Whether a first poll is that of a publication. n8n's durable scheduler says so of each, since each has an object of its own,
 * and allows it less time.
 */
function isOfPublication(context: Pick<IPollFunctions, 'getActivationMode'> & Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): boolean {
	const isPublished = ['activate', 'create', 'update'].includes(context.getActivationMode());
	return isPublished && (context.getPollBudgetMs?.() ?? LONGEST_POLL_MS) >= LONGEST_POLL_MS;
}

/** The specification does not show all fields of a task: without this one, the first task of the list counts as the newest. */
function creationOf({ created_at: created }: Task): number {
	return (typeof created === 'string' && Date.parse(created)) || 0;
}
