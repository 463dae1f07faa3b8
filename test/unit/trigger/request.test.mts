import { readCallback } from '../../../nodes/LegalAi/trigger/request.ts';
import { textWith } from '../../support/matchers.mts';

const read = (body: string) => readCallback(undefined, Buffer.from(body), undefined);

test.each([
	{ id: 'q', status: 'error' },
	{ id: 'q', status: 'filtered', answer: null, reason: 'No.', later: { x: [1] } },
	{ id: 'q', status: 'completed', attachments: [{ file_name: 'a.pdf' }, { file_name: 'b.pdf' }] },
])('a callback is read as it came, with fields that are not known yet: %j', (callback) => {
	expect(read(JSON.stringify(callback))).toEqual(callback);
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
	'{"id":"q","status":"completed","session_id":{}}',
	'{"id":"q","status":"completed","attachments":{}}',
	'{"id":"q","status":"completed","attachments":["x"]}',
	'{"id":"q","status":"completed","attachments":[{},"x"]}',
	'{"id":"q","status":"filtered","reason":false}',
])('%s is no callback', (text) => {
	expect(() => read(text)).toThrow(
		expect.objectContaining({ status: 400, code: 'invalid_payload' }),
	);
});

test.each(['session_id', 'session_url', 'answer', 'reason'])(
	'a callback whose "%s" is not text is rejected with the name of the field',
	(field) => {
		const body = JSON.stringify({ id: 'q', status: 'completed', [field]: 7 });
		expect(() => read(body)).toThrow(expect.objectContaining({ message: textWith(field) }));
	},
);
