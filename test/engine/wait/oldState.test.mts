import { ASK, onStoppedClock, questions } from '../../support/wait/onStoppedClock.mts';

/*
 * n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status. So a
 * wake or a callback that had to wait for a free slot continues the execution once more after it has parked again.
 */

const world = await onStoppedClock();
const { sandbox, ask, completeSilently } = world;

test('items of one session that may have been accepted are not asked again if n8n has no free slot when the check of the first is due', async () => {
	await ask({ fields: { operation: 'ask', question: 'Opening' } });
	await completeSilently('Opening');
	const session = sandbox.asked('Opening').sessionId;
	const items = [...questions(2), { json: { words: 'Open' } }].map(({ json }) => ({
		json: { ...json, session: json.words === 'Open' ? '' : session },
	}));
	const fields = { additionalFields: { sessionId: '={{ $json.session }}' } };
	const parked = await ask({ items, fields, node: { onError: 'continueRegularOutput' } });
	await completeSilently();
	sandbox.faults.add({ kind: 'reset', when: 'handled', match: ASK });
	await world.whileBusy(parked);
	expect(world.posted()).toBe(4);
});
