import { describe, expect, onTestFinished, test } from 'vitest';

import type { CredentialValues, NodeRun } from '../../support/engine/engine.mts';
import type { FaultEffect } from '../../sandbox/faults.mts';
import { startSelfSigned } from '../../support/selfSigned.mts';
import { pass, settle } from '../../support/clock.mts';
import { onStoppedClock } from './onStoppedClock.mts';

const MINUTE = 60_000;

const { sandbox, ask, completeSilently: complete, wakeInTime } = await onStoppedClock();

/** A response of the API itself, with its error_code. */
const ofApi = (status: number, error_code = 'some_code'): FaultEffect => ({ kind: 'status', status, body: { error_code, message: 'So it is' } });
const ofProxy = (status: number): FaultEffect => ({ kind: 'status', status, body: '<html>Maintenance</html>' });
const redirect = (status: number): FaultEffect => ({ kind: 'redirect', location: 'https://maintenance.example.com', status });

/** What a check meets, and whether it ends the item. */
const failures: [what: string, effect: FaultEffect, ends: boolean][] = [
	['302 to a maintenance page', redirect(302), false],
	['307 to a maintenance page', redirect(307), false],
	...[400, 401, 403, 404, 405, 407, 408, 410, 413, 429, 500, 503].map((status): [string, FaultEffect, boolean] => [
		`${status} that is not the API's own`,
		ofProxy(status),
		false,
	]),
	...[401, 403, 408, 429, 500, 503].map((status): [string, FaultEffect, boolean] => [`${status} of the API`, ofApi(status), false]),
	...[400, 404, 410].map((status): [string, FaultEffect, boolean] => [`${status} of the API`, ofApi(status), true]),
	['a success that is a page of HTML', { kind: 'status', status: 200, body: '<html>Sign in</html>' }, false],
	['a connection that is reset', { kind: 'reset', when: 'unread' }, false],
];

const everyCheck = { match: ({ method }: { method: string }) => method === 'GET', times: Infinity };

const notYet = expect.stringMatching(/could not check for an answer: [A-Z].*\. It/) as unknown;

/** Waits for the answer to a question that was asked before; with only its ID unless told otherwise. */
async function waitForAnswer(item: object = {}, options = {}, credential: Partial<CredentialValues> = {}): Promise<NodeRun> {
	await ask({ fields: { operation: 'ask' } });
	const json = { id: sandbox.questions[0]?.id, ...item };
	return await ask({ items: [{ json }], fields: { operation: 'waitForAnswer', questionId: '={{ $json.id }}' }, options, credential });
}

describe.each(failures)('a check that meets %s', (_what, effect, ends) => {
	const outcome = ends ? 'ends the wait' : 'means "not yet"';

	test(`while the execution is parked ${outcome}`, async () => {
		const parked = await ask();
		await complete(0);
		const fault = sandbox.faults.add({ ...effect, ...everyCheck });
		await pass(3 * MINUTE);
		const again = await settle(parked.wake());
		if (ends) { expect(again.error?.message).toContain('So it is'); return; }
		expect([again.status, again.hints]).toEqual(['waiting', expect.arrayContaining([notYet])]);
		fault.remove();
		expect((await wakeInTime(again)).json).toMatchObject([{ answer: 'Answer 0' }]);
	});

	test(`as the first of Wait for Answer ${outcome}`, async () => {
		const fault = sandbox.faults.add({ ...effect, ...everyCheck });
		const waiting = waitForAnswer();
		if (ends) { expect((await waiting).error?.message).toContain('So it is'); return; }
		const parked = await waiting;
		expect([parked.status, parked.hints]).toEqual(['waiting', expect.arrayContaining([notYet])]);
		fault.remove();
		await complete(0);
		expect((await wakeInTime(parked)).json).toMatchObject([{ answer: 'Answer 0' }]);
	});
});

test('a certificate that is not accepted means "not yet"', async () => {
	const { origin, server } = await startSelfSigned();
	onTestFinished(() => void server.close());
	const credential: Partial<CredentialValues> = {};
	const parked = await ask({ credential });
	await complete(0);
	Object.assign(credential, { baseUrl: `${origin}/api/v1` });
	const again = await wakeInTime(parked);
	expect([again.status, again.hints]).toEqual(['waiting', expect.arrayContaining([notYet])]);
	Object.assign(credential, { baseUrl: sandbox.baseUrl });
	expect((await wakeInTime(again)).json).toMatchObject([{ answer: 'Answer 0' }]);
});

describe('a question that the service does not find', () => {
	const notFound = ofApi(404, 'resource_not_found');

	test('less than two minutes after it was accepted is checked again', async () => {
		const fault = sandbox.faults.add({ ...notFound, ...everyCheck });
		sandbox.settings.answer = () => ({ status: 'completed', answer: 'Answer 0', after: 20_000 });
		setTimeout(() => {
			fault.remove();
		}, 30_000);
		expect((await ask({ options: { waitUsing: 'polling' } })).json).toMatchObject([{ answer: 'Answer 0' }]);
	});

	test('as the first check of Wait for Answer is checked again, if the item is the question itself', async () => {
		const fault = sandbox.faults.add({ ...notFound, ...everyCheck });
		const parked = await waitForAnswer({ status: 'in_progress', assistant_id: 'default' });
		expect(parked.status).toBe('waiting');
		fault.remove();
		await complete(0);
		expect((await wakeInTime(parked)).json).toMatchObject([{ answer: 'Answer 0' }]);
	});
});

test('with a Max Wait of 0, the only check of Wait for Answer fails with the reason', async () => {
	sandbox.faults.add({ ...ofApi(503), ...everyCheck });
	expect((await waitForAnswer({}, { maxWait: 0 })).error?.message).toContain('503');
});
