import { collection, displayedIf, group, number, required, toggle, variants } from '../parameters';
import { filterFields, statuses } from '../resources/task/filters';
import { simplify } from '../resources/task/taskFields';

const { complete_by_from: dueAfter, complete_by_to: dueBefore, status } = filterFields;
const notIfDue = { hide: { '/event': ['due'] } };

/** The parameters of the Legal AI Task Trigger. */
export const taskTriggerParameters = group({
	on: variants(
		'event',
		'Event',
		{
			default: 'created',
			noDataExpression: true,
			description:
				'What starts the workflow. If you rename this node, choose another event or other filters, or switch the workflow off and on, what happened in between starts nothing, unless it is due. If you rename it, what was due starts the workflow again.',
		},
		{
			created: {
				name: 'Task Created',
				action: 'On task created',
				description:
					'A task is new, or passes the filters for the first time. Tasks that exist when you publish the workflow do not start it.',
			},
			statusReached: {
				name: 'Status Reached',
				action: 'On task status reached',
				description:
					'A task comes into a status. Tasks that have it when you publish the workflow do not start it.',
				parameters: {
					statuses: required(
						statuses(
							'statuses',
							'Status',
							'The statuses that start the workflow. A task that leaves a status and returns to it starts the workflow again once two checks in a row did not find it there. If n8n was restarted meanwhile, or uses its durable scheduler, it may not',
						),
					),
				},
			},
			due: {
				name: 'Task Due',
				action: 'On task due',
				description:
					'A task is due, or will be soon, once for each due date. Completed tasks have due dates, too: add the filter "Status", and choose the statuses of open tasks.',
				parameters: {
					daysBefore: number(
						'daysBefore',
						'Days Before',
						{
							default: 0,
							description:
								'How many days before the due date to start the workflow, in the time zone of the workflow. 0 is the day itself.',
						},
						{ min: 0, max: 365, whole: true },
					),
					includeOverdue: toggle('includeOverdue', 'Include Overdue', {
						default: false,
						description:
							'Whether to start the workflow with tasks that were overdue before it was first published, too',
					}),
				},
			},
		},
	),
	filters: collection(
		'filters',
		'Filters',
		{ placeholder: 'Add Filter' },
		{
			...filterFields,
			complete_by_from: displayedIf(notIfDue, dueAfter),
			complete_by_to: displayedIf(notIfDue, dueBefore),
			status: displayedIf({ hide: { '/event': ['statusReached'] } }, status),
		},
	),
	isSimplified: simplify,
});
