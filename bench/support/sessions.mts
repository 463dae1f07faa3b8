import { request } from 'undici';

import { asRecord, asText } from '../../harness/unknownJson.mts';
import type { Sandbox } from '../../test/sandbox/sandbox.mts';

const AT_ONCE = 20;

/**
 * Opens sessions whose first question is answered. A follow-up in each is bound by the limit of requests alone; new
 * sessions have a far lower one, which would be all that is measured.
 */
export async function openSessions(sandbox: Sandbox, count: number) {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'You may sign it.', after: 0 });
	const sessions: string[] = [];
	while (sessions.length < count) {
		const some = Array.from(
			{ length: Math.min(AT_ONCE, count - sessions.length) },
			async () => await openSession(sandbox),
		);
		sessions.push(...(await Promise.all(some)));
	}
	await sandbox.waitForQuestion(() =>
		sandbox.questions.every(({ status }) => status === 'completed'),
	);
	return sessions;
}

async function openSession({ baseUrl, apiKey }: Sandbox) {
	const { body } = await request(`${baseUrl}/assistants/default/questions`, {
		method: 'POST',
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ question: 'Opens a session' }),
	});
	return asText(asRecord(await body.json(), 'A question').session_id, 'A session');
}
