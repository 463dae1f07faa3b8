import { answersWhenTold } from '../scenarios/stage.mts';
import { n8nOfThisFile, serviceOfThisFile } from '../support/n8n/service.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';
import { fastTracker } from '../support/n8n/wakeSettings.mts';
import { killOnce, rounds } from './kills.mts';

const n8n = await n8nOfThisFile(fastTracker);
const service = await serviceOfThisFile(
	{ answer: answersWhenTold, requestsPerMinute: Infinity, newSessionsPerMinute: Infinity },
	n8n,
);
const stage = {
	...service,
	n8n,
	kill: () => n8n.restart(),
	wakeAll: () => {
		wakeNow(n8n);
	},
};

test.each(rounds())(
	'nothing is sent twice and no item is lost if n8n is killed at a random moment: $situation ($round)',
	async ({ situation, round }) => {
		expect(await killOnce(stage, situation, round)).toBe(true);
	},
);
