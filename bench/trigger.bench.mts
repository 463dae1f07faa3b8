import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, test } from 'vitest';

import { completed, deliver, legalAiTrigger, triggerUrl } from '../test/support/n8n/callbacks.mts';
import { credentialType } from '../test/support/n8n/examples.mts';
import type { StoredCredential } from '../test/support/n8n/n8nClient.mts';
import { chain, node, webhook } from '../test/support/n8n/workflows.mts';
import { PlainProgram } from './support/plainProgram.mts';
import { LEAST, OURS, PLAIN, resultsOf } from './support/results.mts';
import { alternate, isQuick, type Measured, watched } from './support/rounds.mts';
import { allEnded, leastNodes, Stage } from './support/stage.mts';

const UNSIGNED = 'Legal AI, signatures not verified';
const HAND_BUILT = 'Webhook';
const CALLBACKS = isQuick ? 20 : 100;
const AT_ONCE = 10;
const SECRET = 'whsec_trigger';

const results = resultsOf('trigger', 'Callbacks that start a workflow');

let stage: Stage;
let plain: PlainProgram;
beforeAll(async () => {
	stage = await Stage.open({ N8N_CUSTOM_EXTENSIONS: leastNodes });
	plain = await PlainProgram.start();
});
afterAll(async () => {
	plain.stop();
	await stage.close();
});

const next = node('Next', 'n8n-nodes-base.noOp', {});

async function newCredential(): Promise<StoredCredential> {
	const data = { baseUrl: 'http://127.0.0.1:9/api/v1', apiKey: `sk-svc-api1-${randomUUID()}`, webhookSecret: SECRET };
	return await stage.n8n.createCredential(credentialType, 'Trigger', data);
}

async function triggerAt(parameters = {}): Promise<string> {
	const trigger = legalAiTrigger('Trigger', await newCredential(), parameters);
	const workflow = await stage.n8n.publish(chain('Trigger', [trigger, next]));
	return triggerUrl(stage.n8n, workflow);
}

async function leastAt(): Promise<string> {
	const credentials = { legalAiApi: await newCredential() };
	const trigger = node('Trigger', 'CUSTOM.leastTrigger', {}, { webhookId: randomUUID(), credentials });
	const workflow = await stage.n8n.publish(chain('Least', [trigger, next]));
	return `${stage.n8n.baseUrl}/webhook/least/${workflow.id}`;
}

async function webhookAt(path: string): Promise<string> {
	await stage.n8n.publish(chain('Webhook', [webhook(path), next]));
	return `${stage.n8n.baseUrl}/webhook/${path}`;
}

/** Delivers callbacks, each of a question of its own, and tells how many were accepted a second. */
async function accepted(url: string): Promise<Measured> {
	let left = CALLBACKS;
	const began = performance.now();
	const { busy } = await watched(async () => {
		await Promise.all(Array.from({ length: AT_ONCE }, async () => {
			while (left-- > 0) {
				const { status } = await deliver(url, SECRET, completed());
				if (status !== 200) throw new Error(`A callback got ${status}`);
			}
		}));
	});
	const value = CALLBACKS / ((performance.now() - began) / 1000);
	await allEnded(stage.n8n);
	return { value, busy };
}

test('signed callbacks', async () => {
	const signed = await triggerAt();
	const unsigned = await triggerAt({ options: { verifySignature: false } });
	const least = await leastAt();
	const bare = await webhookAt('bare');
	const receiver = String((await plain.run('receive', { secret: SECRET })).result);
	results.figure({
		what: `signed callbacks accepted a second, ${AT_ONCE} at once`,
		unit: 'a second',
		contenders: await alternate({
			[OURS]: async () => await accepted(signed),
			[UNSIGNED]: async () => await accepted(unsigned),
			[LEAST]: async () => await accepted(least),
			[HAND_BUILT]: async () => await accepted(bare),
			[PLAIN]: async () => await accepted(receiver),
		}),
		targets: [{ against: HAND_BUILT, atLeast: 0.8 }, { of: LEAST, against: HAND_BUILT, atLeast: 0.8 }],
		note: 'The Webhook node checks nothing. Each accepted callback starts an execution, which n8n runs meanwhile. The least community node, a trigger of ten lines that reads its credential, shows the bound that n8n sets: it prepares an isolate for expressions for the request, for the credential and for the execution, and for its own Webhook node only the last of these.',
	});
});
