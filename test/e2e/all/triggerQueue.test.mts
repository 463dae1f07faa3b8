import { afterAll, beforeAll, expect, test } from 'vitest';

import { completed, deliver, type Payload, triggerUrl, triggerWorkflow } from '../../support/n8n/callbacks.mts';
import { isN8n1 } from '../../support/n8n/versions.mts';
import { until } from '../../support/polling.mts';
import { TriggerReceivers } from '../triggerReceivers.mts';

let queue: TriggerReceivers;
beforeAll(async () => {
	queue = await TriggerReceivers.start();
}, 400_000);
afterAll(async () => {
	await queue.close();
});

/** Has the database store no execution. What is drawn from a sequence stays drawn: it tells that n8n has tried. */
const REFUSE = `
	CREATE SEQUENCE refusals;
	CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('refusals'); RAISE EXCEPTION 'Refused'; END $$;
	CREATE TRIGGER refuse BEFORE INSERT ON execution_entity FOR EACH ROW EXECUTE FUNCTION refuse();
`;
const REFUSE_NO_MORE = 'DROP TRIGGER refuse ON execution_entity; DROP FUNCTION refuse; DROP SEQUENCE refusals';

test('an answer that n8n 2 could not store is news when it comes again; n8n 1 has accepted it before, and loses it', async () => {
	const { n8n, store, sandbox, credential, receivers } = queue;
	const workflow = await n8n.publish(triggerWorkflow(credential));
	const started: unknown[] = [];
	const accepted = { status: 200, body: { message: 'Accepted.' } };
	for (const receiver of receivers) {
		const send = async (payload: Payload) => await deliver(triggerUrl(receiver, workflow), sandbox.webhookSecret, payload);
		const payload = completed();
		await store.query(REFUSE);
		const first = await send(payload);
		// n8n 1 tries to store it only now.
		await until('n8n to fail to store it', async () => (await store.query('SELECT 1 FROM refusals WHERE is_called'))[0]);
		await store.query(REFUSE_NO_MORE);

		const again = await send(payload);
		if (isN8n1(n8n.version)) {
			expect(first).toEqual(accepted);
			expect(again).toMatchObject({ status: 200, body: { message: expect.stringContaining('received before') as unknown } });
		} else {
			expect(first.status).toBe(500);
			expect(again).toEqual(accepted);
			started.push(payload);
		}
		const next = completed();
		expect(await send(next)).toEqual(accepted);
		started.push(next);
		expect(new Set(await queue.outputOf(workflow, 'Next', started.length))).toEqual(new Set(started));
	}
	await n8n.deactivate(workflow);
});
