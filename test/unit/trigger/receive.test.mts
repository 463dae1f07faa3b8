import { readCallback } from '../../../nodes/LegalAi/trigger/receive.ts';

test.each([
	{ id: 'q', status: 'error' },
	{ id: 'q', status: 'filtered', answer: null, reason: 'No.', later: { x: [1] } },
	{ id: 'q', status: 'completed', attachments: [{ file_name: 'a.pdf' }, { file_name: 'b.pdf' }] },
])('a callback is read as it came, with fields that are not known yet: %j', (callback) => {
	expect(readCallback(JSON.stringify(callback))).toEqual(callback);
});

test.each([
	'',
	'null',
	'7',
	'"x"',
	'[]',
	'{',
	'{}',
	'{"id":"q"}',
	'{"status":"completed"}',
	'{"id":"","status":"completed"}',
	'{"id":"q","status":"in_progress"}',
	'{"id":"q","status":"COMPLETED"}',
	'{"id":"q","status":["completed"]}',
	'{"id":"q","status":"completed","answer":7}',
])('%s is no callback', (text) => {
	expect(readCallback(text)).toBeUndefined();
});
