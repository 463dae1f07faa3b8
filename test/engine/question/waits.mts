import { request } from 'undici';

import { serviceSignature } from '../../sandbox/signature.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { install, uninstall } from '../../support/engine/acceleratedClock.mts';
import { Instance, type NodeRun } from '../../support/engine/engine.mts';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const LOOK = 'GET /assistants/:assistant_id/questions/:question_id';

/** Items with a question each. */
export function wordsOf(count: number): { json: { words: string } }[] {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** What becomes of a parked run once n8n has woken it as often as it takes. Needs an n8n whose time runs faster. */
export async function ended(run: NodeRun): Promise<NodeRun> {
	let latest = run;
	while (latest.status === 'waiting') latest = await latest.resumed(24 * 60 * 60_000);
	return latest;
}

/** Runs a test on an n8n of its own whose time runs faster, so that it wakes what is parked. */
export async function inFastTime<T>(act: (n8n: Instance) => Promise<T>): Promise<T> {
	install(600);
	const n8n = await Instance.start();
	n8n.track();
	try {
		return await act(n8n);
	} finally {
		await n8n.close();
		uninstall();
	}
}

/** How a callback is signed. */
export interface Signing {
	readonly secret?: string;
	readonly secondsAgo?: number;
	readonly signed?: boolean;
}

/** Posts a callback to a parked execution, by default signed as the service does; gives the status of the response. */
export async function callBack(
	sandbox: Sandbox,
	url: string,
	payload: unknown,
	{ secret = sandbox.webhookSecret, secondsAgo = 0, signed = true }: Signing = {},
): Promise<number> {
	const body = JSON.stringify(payload);
	const time = Math.floor(Date.now() / 1000) - secondsAgo;
	const { statusCode } = await request(url, {
		method: 'POST',
		body,
		headers: {
			'content-type': 'application/json',
			...(signed ? { 'service-signature': serviceSignature(secret, time, body) } : {}),
		},
	});
	return statusCode;
}
