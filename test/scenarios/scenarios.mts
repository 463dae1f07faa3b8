import type { Sandbox } from '../sandbox/sandbox.mts';
import { textWith } from '../support/matchers.mts';
import { ASK, CHECK } from '../support/wait/asking.mts';
import type { Run, Stage } from './stage.mts';

/**
 * What users rely on of a wait, written once for any n8n: the engine of these tests imitates how n8n parks, wakes, resumes and
 * retries, and is right as long as each of these comes out there as it does in a real n8n.
 */
export const scenarios: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
	'an answer that rings comes out at once, as the service says it when it is asked': async ({
		service,
		start,
	}) => {
		const parked = await start();
		expect(parked.status).toBe('waiting');
		await answer(service, 'Ask 0');
		const over = await parked.resumed();
		expect([over.status, readAnswers(over), checks(service)]).toEqual([
			'success',
			[['Answer to Ask 0']],
			1,
		]);
		expect(callbacks(service)).toEqual([200]);
	},

	'answers come out together, in the order of their items, whatever order they arrive in': async ({
		service,
		start,
	}) => {
		const parked = await start({ items: 3 });
		for (const text of ['Ask 2', 'Ask 0', 'Ask 1']) await answer(service, text);
		const over = await parked.resumed();
		expect(readAnswers(over)).toEqual([['Answer to Ask 0', 'Answer to Ask 1', 'Answer to Ask 2']]);
		expect(over.pairs).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	},

	'an answer whose callback is lost comes out at the next check': async ({ service, start }) => {
		const parked = await start();
		await answer(service, 'Ask 0', { silently: true });
		expect(readAnswers(await parked.wake())).toEqual([['Answer to Ask 0']]);
		expect(service.questions).toHaveLength(1);
	},

	'a check that finds no answer parks the execution again, and a callback still resumes it':
		async ({ service, start }) => {
			const again = await (await start()).wake();
			expect([again.status, again.outputs, checks(service)]).toEqual(['waiting', [], 1]);
			await answer(service, 'Ask 0');
			expect(readAnswers(await again.resumed())).toEqual([['Answer to Ask 0']]);
			expect(callbacks(service)).toEqual([200]);
		},

	'a callback that is repeated while the next node waits resumes nothing': async ({
		service,
		start,
	}) => {
		const first = await start({ names: ['One', 'Two'] });
		await answer(service, 'One 0');
		const second = await first.resumed();
		expect((await service.resendCallback(service.asked('One 0').id)).status).toBe(200);
		await answer(service, 'Two 0');
		expect(readAnswers(await second.resumed())).toEqual([['Answer to Two 0']]);
		expect(service.questions.map(({ text }) => text)).toEqual(['One 0', 'Two 0']);
	},

	'if n8n has no free slot when a check is due, and wakes the execution twice, the next node asks once':
		async ({ service, start }) => {
			const parked = await start({ names: ['One', 'Two'] });
			await answer(service, 'One 0', { silently: true });
			expect((await parked.wakeTwice()).status).toBe('waiting');
			expect(service.questions.map(({ text }) => text)).toEqual(['One 0', 'Two 0']);
		},

	'a ring, forged or not, has the node ask the service, and what that says comes out': async ({
		service,
		start,
	}) => {
		const parked = await start();
		service.callbackFaults.secret = 'another';
		await answer(service, 'Ask 0');
		expect(callbacks(service)).toEqual([200]);
		expect(readAnswers(await parked.resumed())).toEqual([['Answer to Ask 0']]);
		expect(checks(service)).toBe(1);
	},

	'an item that the service rejects does not keep the others from being waited for': async ({
		service,
		start,
	}) => {
		service.faults.add({ status: 403, match: ASK });
		const parked = await start({
			items: 2,
			settings: { onError: 'continueRegularOutput' },
		});
		// Both are sent at once: which one arrives first, and is rejected, is not settled.
		const [{ text = '' } = {}] = service.questions;
		await answer(service, text);
		const { outputs } = await parked.resumed();
		const items = [{ error: textWith('permission') }, { answer: `Answer to ${text}` }];
		expect(outputs).toMatchObject([text === 'Ask 1' ? items : items.reverse()]);
	},

	'questions of one session are asked one after the other': async ({ service, start }) => {
		const opening = await start({ names: ['Opening'] });
		await answer(service, 'Opening 0');
		const [[opened] = []] = (await opening.resumed()).outputs;
		const parked = await start({
			items: 2,
			parameters: { additionalFields: { sessionId: opened?.session_id as string } },
		});
		expect(service.questions.map(({ text }) => text)).toEqual(['Opening 0', 'Ask 0']);
		await answer(service, 'Ask 0');
		const second = await parked.resumed();
		await answer(service, 'Ask 1');
		expect(readAnswers(await second.resumed())).toEqual([['Answer to Ask 0', 'Answer to Ask 1']]);
		expect(service.questions).toHaveLength(3);
	},

	'an execution that is stopped by hand while it is parked takes no callback, and hands nothing on':
		async ({ service, start }) => {
			const parked = await start({ items: 2 });
			const stopped = await parked.stop();
			await answer(service, 'Ask 0');
			expect(callbacks(service)).toEqual([409]);
			expect([stopped.status, stopped.outputs, checks(service)]).toEqual(['canceled', [], 0]);
			const retried = await stopped.retry();
			expect(retried.status).toBe('waiting');
			await answer(service, 'Ask 1', { silently: true });
			expect(readAnswers(await retried.wake())).toEqual([['Answer to Ask 0', 'Answer to Ask 1']]);
			expect(service.questions).toHaveLength(2);
		},

	'an execution that was parked as n8n was killed is resumed by its callback': async ({
		service,
		start,
	}) => {
		const parked = await start({ items: 2 });
		await parked.killParked();
		await answer(service, 'Ask 1');
		await answer(service, 'Ask 0');
		expect(readAnswers(await parked.resumed())).toEqual([['Answer to Ask 0', 'Answer to Ask 1']]);
		expect(service.questions).toHaveLength(2);
	},

	'a retry after n8n was killed in a check brings the answer, and asks nothing again': async ({
		service,
		start,
	}) => {
		const parked = await start();
		await answer(service, 'Ask 0', { silently: true });
		const crashed = await parked.killInCheck();
		expect(crashed.status).toBe('crashed');
		expect(readAnswers(await crashed.retry())).toEqual([['Answer to Ask 0']]);
		expect(service.questions).toHaveLength(1);
	},

	'Retry On Fail does not ask a question again that ended in an error': async ({
		service,
		start,
	}) => {
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const parked = await start({ parameters: { options: { onNoAnswer: 'fail' } }, settings });
		await service.complete(service.asked('Ask 0').id, {
			status: 'error',
			answer: 'The file is damaged.',
		});
		const over = await parked.resumed();
		expect([over.status, over.outputs]).toEqual(['error', []]);
		expect(over.error).toContain('could not answer');
		expect(service.questions).toHaveLength(1);
	},
};

/** Has the service answer a question, and call back unless that is lost. */
async function answer(service: Sandbox, text: string, { silently = false } = {}) {
	service.callbackFaults.drop = silently;
	await service.complete(service.asked(text).id);
	service.callbackFaults.drop = false;
}

function readAnswers({ outputs }: Run): unknown[][] {
	return outputs.map((items) => items.map((json) => json.answer));
}

/** How often a question was checked. */
function checks(service: Sandbox) {
	return service.requestsTo(CHECK).length;
}

/** What the service's callbacks were answered with. */
function callbacks(service: Sandbox): unknown[] {
	return service.callbacks.map(({ status }) => status);
}
