import { expect, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import { receiveCallbacks } from './callbackReceiver.mts';
import { checkService } from './checkService.mts';

/** What a service might do otherwise: words of its answers that are others. */
const REPLACED: readonly (readonly [words: string, others: string])[] = [
	['"Missing Authorization header"', '"Please log in"'],
	['session_still_processing', 'session_busy'],
	['"next_cursor"', '"has_more":true,"position"'],
	['"content_type":"text/plain"', '"content_type":"text/plain; charset=utf-8"'],
];

test('A check finds each of five deviations of a service, and nothing else', async () => {
	const timeScale = 60;
	const sandbox = await startSandbox({ timeScale, answerTime: [180_000, 180_000] });
	const callbacks = await receiveCallbacks(sandbox.webhookSecret, 0);
	sandbox.callbackFaults.secret = 'another secret';
	const body = (sent: string): string => REPLACED.reduce((words, [one, other]) => words.replaceAll(one, other), sent);
	sandbox.faults.add({ kind: 'body', times: Infinity, body });

	const rows = await checkService({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, callbacks, timeScale }, () => undefined);
	callbacks.close();
	await sandbox.close();

	const found = rows.filter((row) => row.verdict === 'differs').map(({ promise, seen }) => `${promise}: ${seen}`);
	expect(found).toEqual([
		'A request without a key gets 401 with error_code "unauthorized" and the message "Missing Authorization header": message: another text',
		'POST /files/upload-url answers an upload job with the content type that was declared: content_type: another text',
		'A second question in a session is refused with 400 and error_code "session_still_processing" while the first is processed: error_code: "session_busy"; svc_api_error_code: "session_busy"',
		'GET /tasks answers a page of at most 20 tasks, and of up to 100 if asked: an object with tasks, has_more, position',
		'A callback is signed with the webhook secret over its time and its body, within 60 seconds: another',
	]);
});
