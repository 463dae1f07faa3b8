import { fetchLatest, redactedExcerpt, type Task, things, timedOutField } from '../../api';
import {
	countedHints,
	fillText,
	hints,
	invalidInput,
	taskWaitMessages,
	waitingTooltips,
} from '../../messages';
import { choice, group, number, optionsOf, required, YEAR } from '../../parameters';
import { defineSendingOperation } from '../../waiting/sendingOperation';
import { statuses } from './filters';
import { simplifiedFields, simplify, taskItem, taskOfItem } from './taskFields';

const maxWait = number(
	'maxWait',
	'Max Wait (Minutes)',
	{
		default: 5 * 24 * 60,
		description:
			'How long to wait for the status. The preset is 5 days: three working days and a weekend.',
	},
	{ min: 0, max: YEAR },
);

const onNotReached = choice(
	'onNotReached',
	'If the Status Is Not Reached',
	{
		default: 'fail',
		description: 'What to do if "Max Wait" runs out, or somebody archives the task',
	},
	{
		fail: {
			name: 'Fail the Item',
			description: 'The item fails, so nothing that nobody approved goes on',
		},
		output: {
			name: 'Output the Task',
			description: 'The task is output as it is, with "timed_out" or "archived", and a hint',
		},
	},
);

function isReached({ status }: Task, { statuses: wanted }: { statuses: string[] }): boolean {
	return wanted.includes(String(status));
}

/** What a task is called (e.g. `LEGAL-9 "Approve NDA with Acme"`), what is waited for, and what it is. */
function inWords(
	{ display_id: key, title, id, status }: Task,
	{ statuses: wanted }: { statuses: string[] },
): Record<'task' | 'statuses' | 'status', string> {
	const words = [key, typeof title === 'string' && `"${title}"`].filter(Boolean).join(' ');
	const task = redactedExcerpt(words) ?? id;
	return { task, statuses: quoted(wanted), status: quoted([status]) };
}

function quoted(values: readonly unknown[]): string {
	return values.map((value) => `"${redactedExcerpt(String(value ?? '')) ?? ''}"`).join(' or ');
}

/** Waits until somebody has done something with a task: GET /tasks/{task_id}, again and again. */
export const waitForStatus = defineSendingOperation({
	thing: things.task,
	waitingTooltip: waitingTooltips.waitingForStatus,
	option: {
		name: 'Wait for Status',
		action: 'Wait for task status',
		description:
			'Pause until a task has a status, e.g. until somebody has approved or completed it',
	},
	parameters: { taskId: taskOfItem },
	options: group({
		statuses: required(
			statuses(
				'statuses',
				'Status',
				'The statuses to wait for: the task has to have one of them. Choose the later ones, too: "approved", then "sent", can pass between two checks, which are up to 30 minutes apart',
			),
		),
		isSimplified: simplify,
		more: optionsOf({ maxWait, onNotReached }),
	}),
	output: { ...simplifiedFields, ...timedOutField },
	begin: async ({ client }, { values }) =>
		await fetchLatest(client, things.task, { id: values.taskId }),
	wait: {
		maxWait: ({ more }) => more.maxWait,
		chooseChannel: () => ({ kind: 'person' }),
		until: {
			isReached,
			waiting: (until, task, options) =>
				fillText(hints.waitingForTask, { until, ...inWords(task, options) }),
			cutShort: (isTimeoutNear) =>
				invalidInput(isTimeoutNear ? taskWaitMessages.timeoutTooShort : taskWaitMessages.cantPause),
			isBegunAgain: ({ archived }, isStillOpen) => isStillOpen || archived === true,
		},
	},
	finish: async ({ count }, task, options, isTimedOut, unreached = 1) => {
		if (!isReached(task, options)) {
			const template = isTimedOut ? taskWaitMessages.notInTime : taskWaitMessages.archived;
			if (options.more.onNotReached === 'fail')
				throw invalidInput(template, { ...inWords(task, options), unreached });
			count(countedHints.statusNotReached);
		}
		return taskItem(task, options.isSimplified);
	},
});
