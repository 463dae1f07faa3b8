import type { INodeParameters } from 'n8n-workflow';
import type { TestAPI } from 'vitest';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { Instance, type NodeRun } from '../engine/engine.mts';
import { runOn, sandboxTest, type Run, type SandboxFixtures } from '../fixtures.mts';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const CHECK = 'GET /assistants/:assistant_id/questions/:question_id';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = {
	resource: 'question',
	operation: 'askAndWait',
	question: '={{ $json.words }}',
};

/** Items with a question each. */
export function questions(count: number): { json: { words: string } }[] {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** The IDs of the questions that were checked. */
export const checked = (sandbox: Sandbox): string[] =>
	sandbox.requestsTo(CHECK).map(({ path }) => path.split('/').at(-1) ?? '');

/** The `test` of a file whose n8n wakes what is parked, in a time that runs faster: `run` gives what became of it in the end. */
export function wakingTest(): TestAPI<SandboxFixtures> {
	return sandboxTest({}, 600).extend<{ run: Run }>({
		run: async ({ sandbox }, use) => {
			const n8n = await Instance.start();
			n8n.track();
			await use(
				async (operation, parameters, more) =>
					await ended(await runOn(sandbox)(operation, parameters, { n8n, ...more })),
			);
			await n8n.close();
		},
	});
}

async function ended(run: NodeRun): Promise<NodeRun> {
	let latest = run;
	while (latest.status === 'waiting') latest = await latest.resumed(24 * 60 * 60_000);
	return latest;
}
