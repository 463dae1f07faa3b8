/** Where the examples end in silence on purpose: by example and output, with the reason. */
export const silentEnds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'ask-in-slack': {
		'Create Task to Reply: stops': 'The execution fails, and the error workflow tells it.',
		'Keep New Message: left out': 'It was delivered before, edited, or written by an app.',
	},
	'hubspot-nda': {
		'Check Deal: none of them': 'The search was late: the deal is not requested any more.',
		'Create Task to Finish: stops': 'The execution fails, and the error workflow tells it.',
		'What Goes Out?: none of them':
			'A lawyer has settled it by hand, or it was requested again: the newer request has a task.',
	},
	'jira-contracts': {
		'Keep Open Ones: left out': 'Somebody has resolved the request.',
		'Keep What Is Not Done: left out': 'It has a task, and its files are reviewed.',
		'Keep What Is Not at Work: left out':
			'It is taken up an hour later, if it is not done by then.',
	},
	'teams-questions': {
		'Check Messages: none of them': 'It was answered a moment ago.',
		'Keep Open Chats: left out': 'It is answered, or older than three days, as the note says.',
	},
};
