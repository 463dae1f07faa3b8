import type { INodeParameters } from 'n8n-workflow';
import { request } from 'undici';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { serviceSignature } from '../../sandbox/signature.mts';
import { runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' };

/** The same, where a question that ends in an error fails its item. */
export const failing: INodeParameters = { ...asking, options: { onErrorStatus: 'fail' } };

/** Asks one question and waits, unless other items come in. */
export async function askAndWait(options: Partial<NodeRunOptions> & Pick<NodeRunOptions, 'sandbox'>): Promise<NodeRun> {
	return await runNode({ items: questions(1), parameters: asking, ...options });
}

/** Items with a question each. */
export function questions(count: number): { json: { words: string } }[] {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** What a callback was answered. */
export interface Answered {
	readonly status: number;
	readonly body: string;
}

/** Posts a callback, signed as the service does unless told otherwise. */
export async function callBack(url: string, payload: unknown, secret: string): Promise<Answered> {
	const body = JSON.stringify(payload);
	const time = Math.floor(Date.now() / 1000);
	const headers = { 'content-type': 'application/json', 'service-signature': serviceSignature(secret, time, body) };
	const response = await request(url, { method: 'POST', body, headers });
	return { status: response.statusCode, body: await response.body.text() };
}

/** The callback with which the service answers a question; by default the first one asked. */
export async function answer(sandbox: Sandbox, parked: NodeRun, words = 'Yes.', index = 0): Promise<Answered> {
	const id = sandbox.questions[index]?.id;
	return await callBack(parked.resumeUrl, { id, status: 'completed', answer: words }, sandbox.webhookSecret);
}
