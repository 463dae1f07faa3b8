import type { INodeType } from 'n8n-workflow';

import { Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';
import { LegalAi } from '../../../nodes/LegalAi/LegalAi.node.ts';
import { readData } from '../../support/engine/database.mts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { LEGAL_AI, onStoppedClock, settle } from '../../support/wait/onStoppedClock.mts';

const world = await onStoppedClock();

test.each(['that has also continued the execution', 'that only receives callbacks'])(
	'a process %s keeps no answer once the execution is over',
	async (process) => {
		const here: INodeType = new LegalAi();
		const other = (await freshNodes())[LEGAL_AI];
		// A worker has a memory of its own.
		if (process === 'that only receives callbacks')
			here.execute = async function execute() {
				return (await other?.execute?.call(this)) ?? null;
			};
		const parked = await world.ask({ nodeTypes: { [LEGAL_AI]: here } });
		const stored = JSON.stringify(readData(world.n8n.database.get(parked.id)));
		const [, sentAs = ''] = /"sentAs":"([^"]+)"/.exec(stored) ?? [];
		await world.complete();
		expect((await settle(parked.resumed())).items[0]?.json.answer).toBe('Answer to Question 0');

		const empty = { executionId: '', parameters: '', itemCount: 1 };
		const known = Ledger.begin(undefined, empty).recall(0, sentAs);
		expect([known.state, JSON.stringify(known).includes('Answer to')]).toEqual(['accepted', false]);
	},
);
