/** Sentences beside a node's output: what the reader gains by acting. */
export const hints = {
	emptiedByEditor:
		'When the credential was changed, n8n emptied "<field>", so the question was asked without it. Choose again, or switch the field to "By ID" to keep it empty.',
	noTaskWithStatus:
		'No task was found with the status <statuses>. Choose from the list in "Status", which shows the statuses of your tasks.',
	nothingFound: 'Nothing was found.',
	noGeneratedFiles: 'The answer has no files.',
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
		'Waiting for the answer. "Max Wait" runs out <time>. The ID of the question is <id>.',
	waitingForSeveral:
		'<answered> of <asked> questions are answered. Waiting for the others. "Max Wait" runs out <time>.',
	waitingForTask:
		'Waiting until the task has the status. "Max Wait" runs out <time>. The ID of the task is <id>.',
	waitingForTasks:
		'<answered> of <asked> tasks have the status. Waiting for the others. "Max Wait" runs out <time>.',
	waitingForLimits:
		"<sent> of <all> items were sent. The others follow, in portions, as the service's limits allow.",
	waitingInTurn:
		'<answered> of <asked> questions are answered. Questions in the same session are asked one after the other.',
	checkFailed: 'The node could not check: <reason>. It will try again until "Max Wait" runs out.',
	credentialUnusable:
		'The node could not check because its credential can\'t be used: <reason>. It will try again until "Max Wait" runs out.',
	/** The name of a stack entry, which n8n shows: Could not find the node "…" in workflow. It probably got deleted or renamed. */
	barrierName: '<name> is waiting. To retry the execution, choose "Retry with original workflow".',
	executionTimeoutNear:
		'The execution timeout of this workflow is shorter than "Max Wait", so the node stopped checking early. To wait longer, increase the timeout in the workflow settings.',
} as const;

/** A hint with the number of items that it applies to. */
export interface CountedHint {
	readonly one: string;
	/** With the number as `<count>`. */
	readonly several: string;
}

/** What happened to items of a run. */
export const countedHints = {
	askedWithoutFile: {
		one: 'One item had no file to attach, so its question was asked without one. To prevent this, set "If No File Is Found" to "Fail the Item".',
		several:
			'<count> items had no file to attach, so their questions were asked without one. To prevent this, set "If No File Is Found" to "Fail the Item".',
	},
	filesSkipped: {
		one: 'Some files of one item were not sent with the question. "skipped_files" lists them with the reasons.',
		several:
			'Some files of <count> items were not sent with the questions. "skipped_files" lists them with the reasons.',
	},
	linkMissing: {
		one: 'A file of one answer came without a download link, so it is missing here. Look for it in the web app.',
		several:
			'Files of <count> answers came without a download link, so they are missing here. Look for them in the web app.',
	},
	newSession: {
		one: '"Session ID" was empty for one item, so its question opened a new session. Check that the earlier node outputs a session ID.',
		several:
			'"Session ID" was empty for <count> items, so each of their questions opened a new session. Check that the earlier node outputs a session ID.',
	},
	fieldsMissing: {
		one: 'Required fields of one answer have no value. Check "missing_fields" before you use "fields".',
		several:
			'Required fields of <count> answers have no value. Check "missing_fields" before you use "fields".',
	},
	notAnswered: {
		one: 'The service could not answer one question. The reason is in "answer": check "status" before you use it.',
		several:
			'The service could not answer <count> questions. The reasons are in "answer": check "status" before you use it.',
	},
	declined: {
		one: 'The assistant declined one question. Check "status" before you use "answer".',
		several: 'The assistant declined <count> questions. Check "status" before you use "answer".',
	},
	timedOut: {
		one: 'One question has no answer yet. The service keeps working on it: use "Wait for Answer" to get the answer, or increase "Max Wait".',
		several:
			'<count> questions have no answer yet. The service keeps working on them: use "Wait for Answer" to get the answers, or increase "Max Wait".',
	},
} as const satisfies Record<string, CountedHint>;
