import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { collect } from '../api/pagination';
import { paginateTasks, readTask, type Task } from '../api/tasks';
import { createClient } from '../execution/connection';
import { toNodeError } from '../execution/nodeError';
import { taskTriggerLog, taskTriggerMessages } from '../messages/taskMessages';
import { fillText, invalidInput } from '../messages/template';
import { daysFromToday, timezoneOf } from '../parameters/dateTime';
import { NO_ITEM } from '../parameters/parameter';
import { filteredList } from '../resources/task/filters';
import { taskItem } from '../resources/task/simplify';
import { compare, eventHash, MOST_KNOWN, shortHash, type Known } from './known';
import { taskTriggerParameters } from './properties';

/** After this, nothing is tried again: n8n waits for the first poll of a publication, and the next poll sees it all. */
const TIMEOUT_MS = 20_000;
/** What n8n allows a poll, unless its durable scheduler begins it. */
const LONGEST_POLL_MS = 5 * 60_000;
/** Half of the requests that the service allows in a minute. */
const MANY_REQUESTS = 200;

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
	const isPublication = isFirst && isPublished(context);
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	const isOneOfMany = !isPublication && context.getMode() !== 'manual';
	if (isOneOfMany && polling.has(trigger)) return null;
	if (isOneOfMany) polling.add(trigger);
	try {
		const items = await startingItems(context, isPublication);
		return items.length === 0 ? null : [items];
	} catch (error) {
		const nodeError = toNodeError(context.getNode(), error);
		if (!isFirst || !['init', 'leadershipChange'].includes(context.getActivationMode()))
			throw nodeError;
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

/** Whether a first poll is that of a publication. Those of n8n's durable scheduler all seem to be, but have less time. */
function isPublished(
	context: Pick<IPollFunctions, 'getActivationMode'> &
		Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>,
): boolean {
	const isPublishing = ['activate', 'create', 'update'].includes(context.getActivationMode());
	return isPublishing && (context.getPollBudgetMs?.() ?? LONGEST_POLL_MS) >= LONGEST_POLL_MS;
}

async function startingItems(
	context: IPollFunctions,
	isPublication: boolean,
): Promise<INodeExecutionData[]> {
	const timezone = timezoneOf(context);
	const { on, filters, isSimplified } = taskTriggerParameters.read(
		(name) => context.getNodeParameter(name, null),
		{ ...NO_ITEM, timezone },
	);
	const client = await createClient(context, { deadline: Date.now() + TIMEOUT_MS });
	const { baseUrl, apiKey } = await context.getCredentials('legalAiApi');
	const isTest = context.getMode() === 'manual';
	const known: Partial<Known> = isTest ? {} : context.getWorkflowStaticData('node');
	const { start: today, end } = daysFromToday(timezone, on.kind === 'due' ? on.daysBefore : 0);
	const scope = shortHash([on.kind, baseUrl, apiKey]);
	const { since, isNew, knownAfter } = compare(known, {
		event: on.kind,
		scope,
		today,
		isPublication,
	});

	const { query, flags } = filteredList(filters);
	if (on.kind === 'statusReached') query.status = on.statuses.join(',');
	if (on.kind === 'due')
		Object.assign(query, {
			complete_by_from: on.includeOverdue ? undefined : since,
			complete_by_to: end,
		});
	const pages = paginateTasks(client, { query, flags, pageSize: 100 });
	if (isTest) {
		// The specification does not show all fields of a task: without this one, the first task of the list counts as the newest.
		const creation = ({ created_at: at }: Task): number => Date.parse(String(at)) || 0;
		const [newest] = (await collect(pages, 500, readTask)).sort(
			(a, b) => creation(b) - creation(a),
		);
		if (newest === undefined) throw invalidInput(taskTriggerMessages.noTask);
		return [taskItem(newest, isSimplified)];
	}

	const items: INodeExecutionData[] = [];
	const listed = new Set<string>();
	let requests = 0;
	for await (const { records } of pages) {
		requests++;
		for (const task of records.map(readTask)) {
			const hash = eventHash(on.kind, task);
			if (!listed.has(hash) && isNew(hash)) items.push(taskItem(task, isSimplified));
			listed.add(hash);
		}
		if (listed.size > MOST_KNOWN) throw invalidInput(taskTriggerMessages.tooManyTasks);
	}
	const { name } = context.getNode();
	if (requests > MANY_REQUESTS)
		context.logger.warn(fillText(taskTriggerLog.manyRequests, { name, requests }));
	Object.assign(known, knownAfter(listed));
	return items;
}
