import { expect, test } from 'vitest';

import { hints } from '../../../nodes/LegalAi/messages/hints.ts';
import { N8N_1 } from '../../support/engine/version.mts';
import { onStoppedClock } from './onStoppedClock.mts';
import { questions } from './waking.mts';

const { sandbox, ask } = await onStoppedClock(N8N_1);

test.each(['callback', 'polling'])('without a signed resume address, the node waits in the process (%s)', async (waitUsing) => {
	sandbox.settings.answer = () => ({ status: 'completed', answer: 'Yes.', after: 3 * 60_000 });
	const run = await ask({ items: questions(2), options: { waitUsing, maxWait: 5 } });
	expect([run.status, run.json.map(({ answer }) => answer)]).toEqual(['success', ['Yes.', 'Yes.']]);
	expect(run.hints).toContain(hints.checkedHere);
	expect(sandbox.questions.map(({ callbackUrl }) => callbackUrl)).toEqual([undefined, undefined]);
});
