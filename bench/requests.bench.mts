import { request } from 'undici';

import { releaseClock } from '../test/support/clock.mts';
import type { Sandbox } from '../test/sandbox/sandbox.mts';
import { ask } from '../test/support/sandboxForTests.mts';
import {
	askingAndWaiting,
	atLimits,
	CALLBACK_SPEED,
	type Job,
	SESSIONS,
} from './support/atLimits.mts';
import { OURS } from './support/figures.mts';
import { openResults } from './support/results.mts';
import { alternate } from './support/rounds.mts';

const results = openResults('requests', 'Requests per answer');
afterEach(releaseClock);

/** The loop that people build without callbacks: HTTP Request, Wait, HTTP Request, If. */
const CHECK_EVERY_MS = 30_000;
const LOOP = `a loop that checks every ${CHECK_EVERY_MS / 1000} seconds`;

const checking: Job = async (sandbox) => {
	const began = Date.now();
	await Promise.all(
		Array.from({ length: SESSIONS }, async (_, index) => {
			const { id } = await ask(sandbox, `Question ${index}`);
			do await pause(CHECK_EVERY_MS);
			while ((await questionAt(sandbox, id)).status === 'in_progress');
		}),
	);
	return Date.now() - began;
};

/** On the faster clock. */
const pause = async (ms: number) => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

async function questionAt({ baseUrl, apiKey }: Sandbox, id: string) {
	const { body } = await request(`${baseUrl}/assistants/default/questions/${id}`, {
		headers: { authorization: `Bearer ${apiKey}` },
	});
	return (await body.json()) as { status: string };
}

test('asking and waiting', async () => {
	const requestsAnAnswer = (job: Job) => async () =>
		(await atLimits(job, CALLBACK_SPEED)).requests / SESSIONS;
	results.figure({
		what: `${SESSIONS} questions, ask and wait: requests per answer`,
		unit: 'requests',
		contenders: await alternate(
			{
				[OURS]: requestsAnAnswer(askingAndWaiting(SESSIONS)),
				[LOOP]: requestsAnAnswer(checking),
			},
			{ warmUps: 0 },
		),
		targets: [{ atMost: 2.05 }, { against: LOOP, atMost: 0.5 }],
		meaning: 'One request asks. One gets the answer when its callback has arrived.',
		note: 'With n8n’s Wait node, it would be one request: the Wait node takes whatever is sent to it as the answer, and gets no answer if the callback is lost.',
	});
});
