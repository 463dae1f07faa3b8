import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/sandbox.mts';
import { runNode, type NodeRun, type NodeRunOptions } from '../../support/engine/engine.mts';
import { deliver, signed } from '../trigger/listening.mts';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' };

/** Asks one question and waits, unless other items come in. */
export async function askAndWait(options: Partial<NodeRunOptions> & Pick<NodeRunOptions, 'sandbox'>): Promise<NodeRun> {
	return await runNode({ items: questions(1), parameters: asking, ...options });
}

/** Items with a question each. */
export function questions(count: number): { json: { words: string } }[] {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** Posts a callback, signed as the service does unless told otherwise; gives the status of the response. */
export async function callBack(
	url: string,
	payload: unknown,
	{ secret, secondsAgo = 0 }: { secret?: string; secondsAgo?: number },
): Promise<number> {
	const body = JSON.stringify(payload);
	const time = Math.floor(Date.now() / 1000) - secondsAgo;
	const signature = secret === undefined ? undefined : signed(secret, body, time);
	const [status] = await deliver({ webhookSecret: '' }, url, body, { signature });
	return status;
}

/** The callback with which the service answers the first question that was asked. */
export async function answer(sandbox: Sandbox, parked: NodeRun): Promise<number> {
	const id = sandbox.questions[0]?.id;
	return await callBack(parked.resumeUrl, { id, status: 'completed', answer: 'Yes.' }, { secret: sandbox.webhookSecret });
}
