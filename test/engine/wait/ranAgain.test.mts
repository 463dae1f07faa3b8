import { freshNodes } from '../../support/engine/freshNodes.mts';
import { killing, LOGGED_MS, words } from '../../support/wait/killing.mts';
import { AFTER, ASK, pass, rest, settle } from '../../support/wait/onStoppedClock.mts';

/*
 * n8n may run an execution again in another process, with the state from before the first process has sent anything: in queue mode, the job
 * of a worker that has stalled. It is no retry, and the other process knows nothing of what was sent.
 */

const killed = await killing();
const { world, start, accepted, over } = killed;
const { sandbox } = world;

const CHANGING = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };
const askedWords = () => accepted().map((text) => text.replace(/ at .*/, ''));

/** A process ends while all requests but the first ones hang, and another one runs the same execution. */
async function ranAgain(run: () => Promise<unknown>, skip: number) {
	const { n8n } = world;
	const fault = sandbox.faults.add({ kind: 'hang', match: ASK, skip, times: Infinity });
	const before = sandbox.requestsTo(ASK).length;
	void run();
	const isHung = () => sandbox.requestsTo(ASK).length > before + skip;
	await settle(sandbox.waitForRequest(isHung));
	await rest();
	n8n.kill();
	const posted = sandbox.requestsTo(ASK).length - before;
	const running = n8n.database.all().find(({ status }) => status === 'running');
	if (running === undefined) throw new Error('Nothing runs');
	n8n.database.update(running.id, { status: 'waiting' });
	await pass(LOGGED_MS);
	n8n.restart(await freshNodes());
	fault.remove();
	const turns = n8n.database.get(running.id).turns;
	await n8n.wake(running.id);
	const isNew = () => n8n.database.get(running.id).turns > turns;
	const ended = await over(n8n.endings.waitFor(({ id }) => id === running.id && isNew()));
	return { ended, posted };
}

test('with texts that are others each time, it sends nothing that may have been accepted', async () => {
	const { ended } = await ranAgain(() => start({ words: words(3), parameters: CHANGING }), 1);
	expect(askedWords()).toEqual(['Words 0']);
	expect(ended.itemsOf(AFTER).filter(({ json }) => json.error !== undefined)).toHaveLength(3);
});

test('in a portion of questions with texts that are others each time, it sends nothing that may have been accepted', async () => {
	sandbox.settings.newSessionsPerMinute = 60;
	const parked = await settle(start({ words: words(90), parameters: CHANGING }));
	const before = accepted().length;
	await ranAgain(() => world.wakeInTime(parked), 1);
	expect(accepted()).toHaveLength(before + 1);
});

test('it sends what certainly was not sent, and nothing else', async () => {
	const { ended, posted } = await ranAgain(() => start({ words: words(60) }), 1);
	const failed = ended.itemsOf(AFTER).filter(({ json }) => json.error !== undefined);
	expect(failed).toHaveLength(posted);
	expect(accepted()).toHaveLength(1 + 60 - posted);
	expect(new Set(accepted()).size).toBe(accepted().length);
});
