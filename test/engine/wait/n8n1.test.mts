import { beforeEach, expect, test } from 'vitest';

import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { Instance, runNode } from '../../support/engine/engine.mts';
import { N8N_1 } from '../../support/engine/version.mts';
import { settle } from '../stoppedClock.mts';
import { onStoppedClock } from './onStoppedClock.mts';
import { questions } from './waking.mts';

let n8n: Instance;
const sandbox = await onStoppedClock(() => undefined);
beforeEach(async () => {
	n8n = await Instance.start(N8N_1);
	return async () => {
		await n8n.close();
	};
});

test.each(['callback', 'polling'])('an n8n that does not sign its resume address waits in the process (%s), and says so', async (waitUsing) => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 3 * 60_000 });
	const parameters = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}', options: { waitUsing, maxWait: 5 } };
	const run = await settle(runNode({ sandbox, n8n, parameters, items: questions(2) }));
	expect([run.status, run.json.map(({ answer }) => answer)]).toEqual(['success', ['Yes.', 'Yes.']]);
	expect(run.hints).toContain(hints.polledHere);
	expect(sandbox.questions.map(({ callbackUrl }) => callbackUrl)).toEqual([undefined, undefined]);
});
