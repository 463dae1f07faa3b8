import { expect, test } from 'vitest';

import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { N8N_1 } from '../../support/engine/version.mts';
import { onStoppedClock } from '../../support/wait/onStoppedClock.mts';
import { questions } from '../../support/wait/waking.mts';

const { sandbox, ask, checks } = await onStoppedClock(N8N_1);

test.each(['callback', 'polling'])('without a signed resume address, the node waits in the process (%s)', async (waitUsing) => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 3 * 60_000 });
	const run = await ask({ items: questions(2), options: { waitUsing, maxWait: 5 } });
	expect([run.status, run.json.map(({ answer }) => answer)]).toEqual(['success', ['Yes.', 'Yes.']]);
	expect(run.hints).toContain(hints.checkedHere);
	expect(sandbox.questions.map(({ callbackUrl }) => callbackUrl)).toEqual([undefined, undefined]);
});

test('without a signed resume address, the node stops checking once Max Wait is over', async () => {
	const run = await ask({ options: { maxWait: 5 } });
	expect(run.json).toMatchObject([{ timed_out: true, id: sandbox.questions[0]?.id }]);
	expect(checks().at(-1)).toBe((sandbox.questions[0]?.askedAt ?? 0) + 5 * 60_000);
});
