/** Sentences beside a node's output: what the reader gains by acting. */
export const hints = {
	noGeneratedFiles: 'The answer has no files.',
	nothingToUpdate:
		'Some items had nothing to update, so their tasks stayed as they are. Fields without a value are not sent. To empty a field, select it in "Clear Fields".',
	syncTookTooLong:
		'The service took longer than the 30 seconds of a synchronous question and is still working on it. Use "Wait for Answer" to get the answer.',
	callbackOutOfReach:
		'The service can\'t send callbacks to <host>, which is only reachable from your own network. Set WEBHOOK_URL to the public address of this n8n, then run this again.',
	answersComeLater:
		'The service can\'t send callbacks to <host>, which is only reachable from your own network, so answers arrive a little later. Set WEBHOOK_URL to the public address of this n8n to get them at once.',
	unknownStatus:
		'The service has set the status of a question to "<status>", which this node does not know. The question counts as not answered yet: use "Wait for Answer" to get the answer.',
	polledAsTool: 'As a tool of this AI agent, the node checked for the answer in a loop instead of pausing the execution.',
	polledHere:
		'This version of n8n can\'t pause and resume the execution, so the node checked for the answers in a loop.',
	badSignatures:
		'Callbacks arrived with a signature that does not match the webhook secret, so they were ignored. Check the Webhook Secret in the "Legal AI API" credential to get answers at once.',
	waitingForOne: 'Waiting for the answer until <time> at the latest.',
	waitingForSeveral: '<answered> of <asked> questions are answered. Waiting for the rest until <time> at the latest.',
	waitingInTurn:
		'<answered> of <asked> questions are answered. Those that continue the same session are asked one after the other.',
	lookFailed: 'The node could not check question <id>. It tries again until "Max Wait" is over.',
	executionTimeoutNear:
		'The execution timeout of this workflow is shorter than "Max Wait", so the node stopped checking for the answer early, and only a callback could still bring it. Increase the timeout in the workflow settings.',
} as const;

/** What happened to several items, counted over a run. */
export const countedHints = {
	askedWithoutFile:
		'<count> items had no file to attach, so their questions were asked without one. Set "If No File Is Found" to "Fail" to prevent this.',
	filesSkipped: 'Files of <count> items were not sent with the questions. "skipped_files" lists them with the reasons.',
	linkMissing: 'Files of <count> answers came without a download link, so they are missing here. Look for them in the web app.',
	newSession:
		'"Session ID" was empty for <count> items, so each of their questions opened a new session. Check that the earlier node outputs a session ID.',
	notAnswered: 'Legal AI couldn\'t answer <count> questions. Check "status" before you use "answer".',
	timedOut:
		'<count> questions have no answer yet. They continue at the service: use "Wait for Answer" to get the answers, or increase "Max Wait".',
} as const;

/** The same for a single item. */
export const singleHints = {
	askedWithoutFile:
		'One item had no file to attach, so its question was asked without one. Set "If No File Is Found" to "Fail" to prevent this.',
	filesSkipped: 'Files of one item were not sent with the question. "skipped_files" lists them with the reasons.',
	linkMissing: 'A file of one answer came without a download link, so it is missing here. Look for it in the web app.',
	newSession:
		'"Session ID" was empty for one item, so its question opened a new session. Check that the earlier node outputs a session ID.',
	notAnswered: 'Legal AI couldn\'t answer 1 question. Check "status" before you use "answer".',
	timedOut:
		'One question has no answer yet. It continues at the service: use "Wait for Answer" to get the answer, or increase "Max Wait".',
} as const;
