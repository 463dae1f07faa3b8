/** What is wrong with a response, shown after the message about it. */
export const responseDetails = {
	listForRecord: 'a list where one record was expected',
	questionWithoutId: 'a question without an ID',
	questionWithoutStatus: 'question <id> has no status',
	otherQuestion: 'question <id> instead of question <expectedId>',
	answerNotText: 'question <id> with an answer that is not text',
	taskWithoutId: 'a task without an ID',
	uploadWithoutJob: 'an upload without a job ID',
	notText: 'a response that is not text, perhaps in an encoding that n8n does not know',
	bytesMissing: '<received> of <announced> bytes arrived',
	notList: 'a response that is not a list',
	listNotFound: 'no list among the fields <fields>',
	cursorUnreadable: 'no readable cursor among the fields <fields>',
	nextPageUnknown: 'there are more records, but no way to get them (fields <fields>)',
	recordsMissing:
		'<received> of <announced> records arrived, and there is no way to get the others',
	endUnknown:
		"the page is full, and this node does not know whether '<field>' leads to the next one",
	cursorRepeated: 'the same cursor a second time, so the list has no end (fields <fields>)',
	pagesEmpty: 'more than 50 empty pages in a row, so the list has no end',
	flagFalse: 'it returned tasks with "<flag>": false, and none with "<flag>": true',
	otherStatuses: 'it returned only tasks with the status <statuses>',
} as const;
