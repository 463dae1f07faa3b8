/** Sentences beside a node's output: what the reader gains by acting. */
export const hints = {
	emptiedByEditor:
		'When the credential was changed, n8n emptied "<field>", so the question was asked without it. Choose again, or switch the field to "By ID" to keep it empty.',
	noTaskWithStatus:
		'No task was found with the status <statuses>. If you expected some, check the spelling: the list in "Status" shows the statuses of your tasks.',
	nothingFound: 'Nothing was found.',
	noGeneratedFiles: 'The answer has no files.',
	fileInInput:
		'The input has a file, and no attachment is set, so the question would be asked without it. Add an Attachment.',
	sameTask:
		'Every execution would wait for this one task: once it has the status, later executions pass at once. To wait for the task of the input item, set "Task" to "By ID", and enter {{ $json.id }}.',
	fileNotAttached:
		'The input item has a file, but no attachment was added, so the question was asked without it. Add an Attachment.',
	nothingToUpdate:
		'No field had a value for some items, so their tasks did not change. To empty a field, select it in "Clear Fields".',
	syncTookTooLong:
		'The answer takes longer than the 30 seconds of a synchronous question. The service keeps working on it: use "Wait for Answer" to get it.',
	callbackOutOfReach:
		"The service can't send callbacks to <host>, which is only reachable from your own network. Set WEBHOOK_URL to the public address of your n8n instance, then run this again.",
	answersComeLater:
		"The service can't send callbacks to <host>, which is only reachable from your own network, so answers arrive a little later. To get them immediately, set WEBHOOK_URL to the public address of your n8n instance.",
	webhookUrlNotPlain:
		"WEBHOOK_URL of your n8n instance is not a plain web address, so the service can't send callbacks, and answers arrive a little later. To get them immediately, ask whoever runs your n8n to correct it, e.g. to https://n8n.example.com/, with nothing behind the slash.",
	unknownStatus:
		'The status of a question is "<status>", which this node does not know. The question counts as not answered yet: use "Wait for Answer" to get the answer.',
	checkedAsTool:
		"A tool that is run this way can't pause the execution, so the node kept checking for the answer.",
	checkedHere:
		"This execution can't be paused, so the node kept checking for the answers. Current versions of n8n can pause it, except in an evaluation.",
	badSignatures:
		'Callbacks arrived with a signature that does not match the webhook secret, so they were ignored. To get answers immediately, check "Webhook Secret" in the "Legal AI API" credential.',
	unsignedCallbacks:
		'Callbacks arrived without a signature, so they were ignored. To get answers immediately, check that your proxy, if you have one, passes on the "Service-Signature" header.',
	staleCallbacks:
		'Callbacks arrived with a signature that is more than a minute old or in the future, so they were ignored. To get answers immediately, check the clock of the machine that runs n8n.',
	waitingForOne:
		'Waiting for the answer, until <until> at the latest. The ID of the question is <id>.',
	waitingForSeveral:
		'Waiting for the answers to all questions, until <until> at the latest. They are output together.',
	waitingForTask:
		'Waiting for <task> to reach the status <statuses>, until <until> at the latest. It was <status> at the last check. The node checks once a minute at first, later every 30 minutes.',
	waitingForTasks:
		'Waiting for all tasks to reach their status, until <until> at the latest. They are output together. The node checks once a minute at first, later every 30 minutes.',
	waitingForLimits:
		"Sending the items in portions, as the service's limits allow. What was sent is not sent again.",
	waitingInTurn:
		'Waiting for answers. Questions in the same session are asked one after the other.',
	chatReply: 'Legal AI is working on this. It usually takes 2 to 5 minutes.',
	checkFailed: 'The node could not check: <reason>. It will try again.',
	credentialUnusable:
		"The node could not send or check anything because its credential can't be used: <reason>. As long as the execution waits, the node will try again.",
	/** The name of a stack entry, which n8n shows: Could not find the node "…" in workflow. It probably got deleted or renamed. */
	barrierName: '<name> is waiting. To retry the execution, choose "Retry with original workflow".',
	executionTimeoutNear:
		'The execution timeout of this workflow is shorter than "Max Wait", so the node stopped checking early. To wait longer, increase the timeout in the workflow settings.',
} as const;

/** What the canvas says of a node while it waits. */
export const waitingTooltips = {
	sendingQuestions: "Sending questions in portions, as the service's limits allow.",
	creatingTasks: "Creating tasks in portions, as the service's limits allow.",
	waitingForStatus: 'Waiting until the task reaches the status.',
	waitingForAnswer: 'Waiting for Legal AI to answer. This usually takes 2 to 5 minutes.',
} as const;

/** What happened to items of a run: how many, as `<count>`, and perhaps what it is about, as `<names>`. */
export const countedHints = {
	askedWithoutFile:
		'Questions asked without a file, because their items had none to attach: <count>. To prevent this, set "If No File Is Found" to "Fail the Item".',
	filesSkipped:
		'Questions sent without some of their files: <count>. "skipped_files" lists the files with the reasons.',
	linkMissing:
		'Answers with files that came without a download link: <count>. These files are missing here. Look for them in the web app.',
	newSession:
		'Questions that opened a new session, because "Session ID" was empty: <count>. Check that the earlier node outputs a session ID.',
	fieldsMissing:
		'Answers with fields that are missing or could not be read: <count> (<names>). Check "missing_fields" and "unread_fields" before you use "fields".',
	fieldsTwice:
		'Answers with the answer fields in several places, so that none was read: <count>. Read them in "answer".',
	notAnswered:
		'Questions that the service could not answer: <count>. The reason is in "answer": check "status" before you use it.',
	declined:
		'Questions that the assistant declined: <count>. Check "status" before you use "answer".',
	statusNotReached:
		'Tasks that did not reach the status: <count>. Check "status" before you treat them as done.',
	notDownloaded:
		'Files that came with answers and were not downloaded: <count> (<names>). To use them in the next nodes, turn on "Download Files" in the options.',
	timedOut:
		'Questions that have no answer yet: <count>. The service keeps working on them: use "Wait for Answer" to get the answers, or increase "Max Wait".',
} as const;

export type CountedHint = (typeof countedHints)[keyof typeof countedHints];
