import { messages } from './template';

/** Why a wait for the status of a task ends before its time. */
export const taskWaitMessages = messages({
	notInTime:
		'<task> did not reach the status <statuses> in time: it is <status>. Tasks that did not reach their status: <unreached>. To wait longer, increase "Max Wait" and retry the execution. To go on anyway, set "If the Status Is Not Reached" to "Output the Task". To handle such tasks separately, choose "Continue (using error output)" in "On Error".',
	archived:
		'<task> was archived before it reached the status <statuses>: it is <status>. Tasks that did not reach their status: <unreached>. If nobody meant to, restore the task and retry the execution. To go on anyway, set "If the Status Is Not Reached" to "Output the Task". To handle such tasks separately, choose "Continue (using error output)" in "On Error".',
	cantPause:
		'The task does not have the status yet, and this n8n can\'t pause the execution in this node. To go on once it has, use the Legal AI Task Trigger with the event "Status Reached" instead. In a tool of an AI agent, use the operation "Get".',
	timeoutTooShort:
		'The task does not have the status yet, and the execution timeout of this workflow is shorter than "Max Wait". Increase the timeout in the workflow settings, or use the Legal AI Task Trigger with the event "Status Reached" instead.',
});

/** What a Legal AI Task Trigger finds in the list of tasks. */
export const taskTriggerMessages = messages({
	noTask:
		'No task matches this trigger yet. Create one in the web app, or change "Filters", then fetch the test event again.',
	tooManyTasks:
		'More than 20,000 tasks match this trigger. Narrow "Filters", for example by status, team or tags, then publish the workflow again.',
});

/** What n8n logs of a Legal AI Task Trigger. */
export const taskTriggerLog = {
	notChecked:
		'<name> could not check for tasks when n8n started, and will check again at the next of its "Poll Times": <message>.',
	otherUser:
		'<name> has the API key of another user or organization than before. What it finds there now starts nothing, unless it is due, and what comes later does.',
	manyRequests:
		'<name> used <requests> of the 400 requests per minute that your organization has to check for tasks. Narrow "Filters", or check less often.',
} as const;
