import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { asToolOf, seenAs } from '../../support/engine/seenAs.mts';
import { LEGAL_AI, onStoppedClock } from '../../support/wait/onStoppedClock.mts';

const world = await onStoppedClock();
const { sandbox } = world;

test.each([
	['the trigger itself', asToolOf('MCP', { type: '@n8n/n8n-nodes-langchain.mcpTrigger' })],
	['a worker in queue mode', () => ({ isToolExecution: () => true })],
])(
	"a tool of n8n's MCP Server Trigger, run by %s, waits 50 seconds at most",
	async (_by, execute) => {
		const began = Date.now();
		const run = await world.ask({ nodeTypes: { [LEGAL_AI]: seenAs(new LegalAi(), { execute }) } });
		expect(run.json).toMatchObject([
			{ id: sandbox.asked().id, status: 'in_progress', timed_out: true },
		]);
		expect(world.checks().at(-1)).toBe(began + 50_000);
	},
);
