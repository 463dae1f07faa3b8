import { chain, node } from '../../../harness/workflows.mts';
import {
	ASK,
	asking,
	BEFORE,
	legalAiNode,
	onStoppedClock,
	PASS_ON,
	questions,
	runWorkflow,
	settle,
} from '../../support/wait/onStoppedClock.mts';

/*
 * n8n continues an execution with the state that was read before it was claimed, however old: it only compares the status. So a
 * wake or a callback that had to wait for a free slot continues the execution once more after it has parked again.
 */

const world = await onStoppedClock();
const { sandbox, ask, completeSilently } = world;

// The same for the next node alone, in a real n8n, too: `test/scenarios`.
test('if n8n has no free slot when the check of a node is due, the node behind it creates its task only once', async () => {
	const parameters = { resource: 'task', operation: 'create', title: '=Task: {{ $json.answer }}' };
	const workflow = chain('One, then a task, then Two', [
		node(BEFORE, PASS_ON, {}),
		legalAiNode({ parameters: asking, node: { name: 'One' } }),
		legalAiNode({ parameters, node: { id: 'task', webhookId: 'task', name: 'Create Task' } }),
		legalAiNode({
			parameters: { ...asking, question: 'Two' },
			node: { id: 'two', webhookId: 'two', name: 'Two' },
		}),
	]);
	const parked = await settle(
		runWorkflow(workflow, { sandbox, n8n: world.n8n, items: questions(1) }),
	);
	await completeSilently();
	await world.whileBusy(parked);
	expect(sandbox.requestsTo('POST /tasks')).toHaveLength(1);
});

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
