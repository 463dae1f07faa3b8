/** What is wrong with a response, shown after the message about it. */
export const responseDetails = {
	listForRecord: 'a list where one record was expected',
	questionWithoutId: 'a question without an ID',
	questionWithoutStatus: 'question <id> has no status',
	otherQuestion: 'question <id> instead of question <expectedId>',
	answerNotText: 'question <id> with an answer that is not text',
	taskWithoutId: 'a task without an ID',
	uploadWithoutJob: 'an upload without a job ID',
	bytesMissing: '<received> of <announced> bytes arrived',
	notList: 'a response that is not a list',
	listNotFound: 'no list among the fields <fields>',
	cursorUnreadable: 'no readable cursor among the fields <fields>',
	nextPageUnknown: 'there are more records, but no way to get them (fields <fields>)',
	recordsMissing: '<received> of <announced> records arrived, and there is no way to get the others',
	endUnknown: 'the page is full, and \'<field>\' may lead to more in a way that is not known',
	cursorRepeated: 'the same cursor a second time, so the list has no end (fields <fields>)',
	flagFalse: 'a task with "<flag>": false was returned',
} as const;
