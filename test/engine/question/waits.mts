import { accelerateClock, releaseClock } from '../../support/clock.mts';
import { Instance, type NodeRun } from '../../support/engine/engine.mts';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const CHECK = 'GET /assistants/:assistant_id/questions/:question_id';

/** What becomes of a parked run once n8n has woken it as often as it takes. Needs an n8n whose time runs faster. */
export async function ended(run: NodeRun): Promise<NodeRun> {
	let latest = run;
	while (latest.status === 'waiting') latest = await latest.resumed(24 * 60 * 60_000);
	return latest;
}

/** Runs a test on an n8n of its own whose time runs faster, so that it wakes what is parked. */
export async function inFastTime<T>(act: (n8n: Instance) => Promise<T>, timesFaster = 600): Promise<T> {
	accelerateClock(timesFaster);
	const n8n = await Instance.start();
	n8n.track();
	try {
		return await act(n8n);
	} finally {
		await n8n.close();
		releaseClock();
	}
}
