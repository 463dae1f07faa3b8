import { timedOutField } from '../../api/fields';
import { getTask, readTask, type Task } from '../../api/tasks';
import { concurrentRequests } from '../../execution/nodeRun';
import { taskWaitMessages } from '../../messages/taskMessages';
import { invalidInput } from '../../messages/template';
import { optionsOf } from '../../parameters/collection';
import { number, YEAR } from '../../parameters/number';
import { group, required } from '../../parameters/parameter';
import { latestOf } from '../../waiting/latest';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { statuses } from './filters';
import { simplifiedFields, simplify, taskItem } from './simplify';
import { taskId } from './taskFields';

const maxWait = number(
	'maxWait',
	'Max Wait (Minutes)',
	{
		default: 5 * 24 * 60,
		description:
			'How long to wait for the status. If the task does not have it in time, it is output as it is, with "timed_out" set to true.',
	},
	{ min: 0, max: YEAR },
);

/** Waits until somebody has done something with a task: GET /tasks/{task_id}, again and again. */
export const waitForStatus = defineSendingOperation({
	option: {
		name: 'Wait for Status',
		action: 'Wait for task status',
		description:
			'Pause until a task has a status, e.g. until somebody has completed it. An archived task is not waited for.',
	},
	parameters: { taskId },
	options: group({
		statuses: required(
			statuses('statuses', 'Status', 'The statuses to wait for: the task has to have one of them'),
		),
		isSimplified: simplify,
		more: optionsOf({ maxWait, requestsAtOnce: concurrentRequests }),
	}),
	output: { ...simplifiedFields, ...timedOutField },
	begin: async ({ client }, { values }) => await getTask(client, values.taskId),
	read: readTask,
	wait: {
		maxWait: ({ more }) => more.maxWait,
		chooseChannel: () => ({ kind: 'person' }),
		isOver: ({ status, archived }, options) =>
			archived === true || options().statuses.includes(String(status)),
		check: async (services, task, ageMs) =>
			await latestOf<Task>(
				services,
				task,
				ageMs,
				async (deadline) => await getTask(services.client, task.id, deadline),
			),
		cutShort: (isTimeoutNear) =>
			invalidInput(isTimeoutNear ? taskWaitMessages.timeoutTooShort : taskWaitMessages.cantPause),
	},
	finish: async (_item, task, { isSimplified }, isTimedOut) =>
		taskItem(isTimedOut ? { ...task, timed_out: true } : task, isSimplified),
});
