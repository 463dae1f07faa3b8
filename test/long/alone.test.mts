import { answersWhenTold } from '../scenarios/stage.mts';
import { testWithOwnN8n as test } from '../support/n8n/fixtures.mts';
import { wakeNow } from '../support/n8n/storedExecutions.mts';
import { fastTracker } from '../support/n8n/wakeSettings.mts';
import { killOnce, rounds } from './kills.mts';

test.override({
	n8nSettings: fastTracker,
	serviceOptions: {
		answer: answersWhenTold,
		requestsPerMinute: Infinity,
		newSessionsPerMinute: Infinity,
	},
});

test.for(rounds())(
	'nothing is sent twice and no item is lost if n8n is killed at a random moment: $situation ($round)',
	async ({ situation, round }, { n8n, service, credential }) => {
		const kill = () => n8n.restart();
		const wakeAll = () => {
			wakeNow(n8n);
		};
		const killing = { n8n, service, credential, kill, wakeAll };
		expect(await killOnce(killing, situation, round)).toBe(true);
	},
);
