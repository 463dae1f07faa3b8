import type { INodeParameters } from 'n8n-workflow';

import { deliver, signed } from '../trigger/listening.mts';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = { resource: 'question', operation: 'askAndWait', question: '={{ $json.words }}' };

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
