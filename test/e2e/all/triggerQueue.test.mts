import { afterAll, beforeAll, expect, test } from 'vitest';

import { completed, deliver, triggerUrl, triggerWorkflow } from '../../support/n8n/callbacks.mts';
import { TriggerReceivers } from '../triggerReceivers.mts';

let queue: TriggerReceivers;
beforeAll(async () => {
	queue = await TriggerReceivers.start();
}, 400_000);
afterAll(async () => {
	await queue.close();
});

/** Has the database store no execution. */
const REFUSE = `
	CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'Refused'; END $$;
	CREATE TRIGGER refuse BEFORE INSERT ON execution_entity FOR EACH ROW EXECUTE FUNCTION refuse();
`;
const REFUSE_NO_MORE = 'DROP TRIGGER refuse ON execution_entity; DROP FUNCTION refuse';

test('an answer that n8n could not store is news when it comes again', async () => {
	const { n8n, store, sandbox, credential, receivers } = queue;
	const workflow = await n8n.publish(triggerWorkflow(credential));
	const started: unknown[] = [];
	for (const receiver of receivers) {
		const payload = completed();
		const send = async () => await deliver(triggerUrl(receiver, workflow), sandbox.webhookSecret, payload);
		await store.query(REFUSE);
		expect((await send()).status).toBe(500);
		await store.query(REFUSE_NO_MORE);
		expect(await send()).toMatchObject({ status: 200 });
		started.push(payload);
		expect(new Set(await queue.outputOf(workflow, 'Next', started.length))).toEqual(new Set(started));
	}
	await n8n.deactivate(workflow);
});
