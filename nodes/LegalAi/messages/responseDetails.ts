/** What is wrong with a response, shown after the message about it. */
export const responseDetails = {
	listForRecord: 'a list where one record was expected',
	questionWithoutId: 'a question without an ID',
	questionWithoutStatus: 'question <id> has no status',
	taskWithoutId: 'a task without an ID',
	uploadWithoutJob: 'an upload without a job ID',
	bytesMissing: '<received> of <announced> bytes arrived',
	notList: 'a response that is not a list',
	listNotFound: 'no list among the fields <fields>',
	cursorUnreadable: 'no readable cursor among the fields <fields>',
	nextPageUnknown: 'there are more records, but no way to get them (fields <fields>)',
	recordsMissing: '<received> of <announced> records arrived, and there is no way to get the others (fields <fields>)',
	pagesMissing: '<received> of <announced> pages arrived, and there is no way to get the others (fields <fields>)',
	endUnknown: 'a full page that does not say whether there are more (fields <fields>)',
	cursorRepeated: 'the same cursor a second time, so the list has no end (fields <fields>)',
	pageRepeated: 'the first page a second time, so the list has no end (fields <fields>)',
	pagesEmpty: '<count> empty pages in a row, so the list has no end (fields <fields>)',
} as const;
