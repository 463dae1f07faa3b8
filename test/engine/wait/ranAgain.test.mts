import { freshNodes } from '../../support/engine/freshNodes.mts';
import { AFTER, ASK, type Killed, test } from '../../support/fixtures.mts';
import { LOGGED_MS, words } from '../../support/wait/killed.mts';

/*
 * n8n may run an execution again in another process, with the state from before the first process has sent anything: in queue mode, the job
 * of a worker that has stalled. It is no retry, and the other process knows nothing of what was sent.
 */

const CHANGING = { question: '={{ $json.words }} at {{ $now.toMillis() }}' };

/** A process ends while all requests but the first ones hang, and another one runs the same execution. */
async function ranAgain({ wait, finish }: Killed, run: () => Promise<unknown>, skip: number) {
	const { service, n8n, clock } = wait;
	const fault = service.faults.add({ kind: 'hang', match: ASK, skip, times: Infinity });
	const before = service.requestsTo(ASK).length;
	void run();
	const isHung = () => service.requestsTo(ASK).length > before + skip;
	await clock.settle(service.waitForRequest(isHung));
	await clock.rest();
	n8n.kill();
	const posted = service.requestsTo(ASK).length - before;
	const running = n8n.database.all().find(({ status }) => status === 'running');
	if (running === undefined) throw new Error('Nothing runs');
	const { id, endingCount } = running;
	n8n.database.update(id, { status: 'waiting' });
	await clock.pass(LOGGED_MS);
	n8n.restart(await freshNodes());
	fault.remove();
	await n8n.wake(id);
	const isNew = () => n8n.database.get(id).endingCount > endingCount;
	const ended = await finish(n8n.endings.waitFor((ending) => ending.id === id && isNew()));
	const failed = ended.readItems(AFTER).filter(({ json }) => json.error !== undefined);
	return { failed, posted };
}

test('with texts that are others each time, it sends nothing that may have been accepted', async ({
	killed,
}) => {
	const { failed } = await ranAgain(
		killed,
		() => killed.start({ words: words(3), parameters: CHANGING }),
		1,
	);
	expect(failed).toHaveLength(3);
	expect(killed.accepted()).toHaveLength(1);
});

test('in a portion of questions with texts that are others each time, it sends nothing that may have been accepted', async ({
	service,
	wait,
	killed,
}) => {
	service.settings.newSessionsPerMinute = 60;
	const parked = await wait.clock.settle(killed.start({ words: words(90), parameters: CHANGING }));
	const before = killed.accepted().length;
	await ranAgain(killed, () => wait.wakeInTime(parked), 1);
	expect(killed.accepted()).toHaveLength(before + 1);
});

test('it sends what certainly was not sent, and nothing else', async ({ killed }) => {
	const { failed, posted } = await ranAgain(killed, () => killed.start({ words: words(60) }), 1);
	expect(failed).toHaveLength(posted);
	const texts = killed.accepted();
	expect(texts).toHaveLength(1 + 60 - posted);
	expect(new Set(texts).size).toBe(texts.length);
});
