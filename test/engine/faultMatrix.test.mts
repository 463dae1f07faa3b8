import { createServer } from 'node:http';
import { inspect } from 'node:util';

import { startSandbox, type Sandbox } from '../sandbox/sandbox.mts';
import { logs, runOn, test as base } from '../support/fixtures.mts';
import {
	type Elsewhere,
	FAULTS,
	LEAKED_SIGNATURE,
	SERVICE_WORDS,
	type FaultCase,
} from '../support/engine/faults.mts';
import { PROBES, type Probe } from '../support/engine/operations.mts';
import { listenLocally } from '../../harness/localServer.mts';
import { startSelfSigned } from '../support/selfSigned.mts';

/** One operation, and one thing that goes wrong with it each time. */
interface Case {
	title: string;
	operation: string;
	probe: Probe;
	fault: FaultCase;
}

/** What came of it. */
type Outcome = Awaited<ReturnType<typeof strike>>;

/** On a machine that is busy with other things, the clock of these tests hardly moves. */
const SLOWEST_TEST_MS = 180_000;
const MAX_SENT = 5;
/** Looks at a question within a Max Wait of 3 minutes: some in the process, then about one a minute, and the last. */
const MAX_LOOKS = 9;
const BANNED = /\b(errors?|problems?|failures?|mistakes?|undefined|null|NaN|object Object)\b/i;

const ofStore = ({ route }: Probe) => route.includes('/storage/');

/** One of each kind of request meets all that can go wrong: read, sent once, a file to and from a store, a check. */
const EVERY_FAULT = [
	'user.get',
	'question.ask',
	'file.upload, file',
	'file.download, url',
	'question.waitForAnswer',
];
/** The others meet one that is repeated, and one that is not. */
const SOME_FAULTS = ['400 invalid_request_body', '500', 'reset once it was handled'];

const cases: Case[] = Object.entries(PROBES).flatMap(([operation, probes]) =>
	probes.flatMap((probe) => {
		const name = probe.way === undefined ? operation : `${operation}, ${probe.way}`;
		const canHappen = ({ ofApi, unsent }: FaultCase) =>
			!(ofApi === true && ofStore(probe)) && (probe.first || unsent !== true);
		return FAULTS.filter(
			(fault) =>
				canHappen(fault) && (EVERY_FAULT.includes(name) || SOME_FAULTS.includes(fault.name)),
		).map((fault) => ({ title: `${name}: ${fault.name}`, operation, probe, fault }));
	}),
);

const allSecrets = new Set<string>();

let seed = 0;
/** Each test has a service of its own, with its own key: a pause that the service asks for stops whatever has the same key. */
const test = base
	.override({ timesFaster: 200 })
	.override('service', async ({}, { onCleanup }) => {
		const service = await startSandbox({
			seed: seed++,
			requestsPerMinute: Infinity,
			newSessionsPerMinute: Infinity,
		});
		onCleanup(service.close);
		return service;
	})
	.extend('strangers', { scope: 'file' }, async ({}, { onCleanup }) => {
		const requests = { redirected: 0 };
		const other = createServer((_request, response) => {
			requests.redirected += 1;
			response.end('{}');
		});
		const selfSigned = await startSelfSigned();
		onCleanup(() => {
			other.close();
			selfSigned.server.close();
		});
		const elsewhere = {
			other: `http://127.0.0.1:${await listenLocally(other)}`,
			selfSigned: selfSigned.origin,
			closed: 'http://127.0.0.1:1',
		};
		return { elsewhere, requests, selfSigned };
	});

describe(`if a request goes wrong in one of ${cases.length} ways,`, () => {
	test.concurrent.for(cases)(
		'the error is clear, or a check is repeated: $title',
		{ timeout: SLOWEST_TEST_MS },
		async (each, { service, strangers }) => {
			const outcome = await strike(service, strangers.elsewhere, each);
			const { run, sent, questions, tasks, secrets } = outcome;
			for (const secret of secrets) allSecrets.add(secret);
			if (each.probe.isCheck === true && !endsWait(each.fault)) {
				expectUnanswered(each, outcome);
				return;
			}

			expect(run.status).toBe('error');
			const { error } = run;
			if (error?.name !== 'NodeApiError' || !('httpCode' in error))
				throw new Error(`No NodeApiError: ${inspect(error)}`);
			expect(ownWords(error.message)).not.toMatch(BANNED);
			expect(error.message.length).toBeLessThan(400);
			expect(error.description).toMatch(/^[A-Z'].{20,}\.$/s);
			expect(ownWords(error.description ?? '')).not.toMatch(BANNED);
			expect(error.httpCode).toBe(each.fault.httpCode?.toString() ?? null);
			for (const secret of secrets) {
				expect(JSON.stringify(error)).not.toContain(secret);
				expect(inspect(error, { depth: Infinity })).not.toContain(secret);
			}

			expectSent(each, sent);
			if (!each.probe.idempotent) {
				expect(questions.length + tasks).toBe(each.fault.carriedOut === true ? 1 : 0);
				// A redirect with 307 asks for the same elsewhere: nothing was carried out.
				const unsure = ['outcomeUnknown', 'invalidResponse'].includes(each.fault.kind);
				expect(error.description?.includes('may still have')).toBe(unsure);
			} else {
				// If something was asked before, the error says how to find it.
				for (const id of questions) expect(error.description).toContain(id);
			}
		},
	);

	test('the node follows no redirect, and sends nothing to a server with an untrusted certificate', ({
		strangers,
	}) => {
		expect(strangers.requests.redirected).toBe(0);
		expect(strangers.selfSigned.requests()).toBe(0);
	});

	test("n8n's logs hold no secret", () => {
		const lines = inspect(logs, { depth: Infinity, maxArrayLength: Infinity });
		expect(lines.length).toBeGreaterThan(0);
		expect([...allSecrets].filter((secret) => lines.includes(secret))).toEqual([]);
	});
});

async function strike(service: Sandbox, elsewhere: Elsewhere, { operation, probe, fault }: Case) {
	const { parameters, item = { json: {} } } = await probe.prepare(service);
	const [before, questionsBefore, tasksBefore] = [
		service.requests.length,
		service.questions.length,
		service.tasks.ordered().length,
	];
	const effect = fault.effect(service, elsewhere);
	if (!('baseUrl' in effect))
		service.faults.add({ ...effect, match: probe.route, times: Infinity });
	let run = await runOn(service)(operation, parameters, {
		items: [item],
		credential: 'baseUrl' in effect ? effect : {},
	});
	// What waits parks after a while, and tries again when it wakes.
	while (run.status === 'waiting') {
		const dueIn = (run.waitTill?.getTime() ?? 0) - Date.now();
		await new Promise((resolve) => setTimeout(resolve, dueIn));
		run = await run.wake();
	}
	const sent = service.requests.slice(before);
	return {
		run,
		/** How often the request that goes wrong was sent. */
		sent: sent.filter(({ route }) => route === probe.route).length,
		/** The ids of the questions that the service took on. */
		questions: service.questions.slice(questionsBefore).map(({ id }) => id),
		tasks: service.tasks.ordered().length - tasksBefore,
		/** Nothing that the person or a log is shown may hold one of these. */
		secrets: [
			service.apiKey,
			service.webhookSecret,
			LEAKED_SIGNATURE,
			...signaturesIn(sent.map(({ query }) => query)),
		],
	};
}

function signaturesIn(queries: unknown[]) {
	return queries.flatMap((query) => {
		const { signature } = (query ?? {}) as { signature?: unknown };
		return typeof signature === 'string' ? [signature, encodeURIComponent(signature)] : [];
	});
}

/** Nothing is said to have gone wrong: the question may still be answered. */
function expectUnanswered(each: Case, { run, sent, questions, secrets }: Outcome) {
	expect(run.error).toBeUndefined();
	expect(run.json).toMatchObject([{ status: 'in_progress', timed_out: true }]);
	expect(questions).toHaveLength(each.operation === 'question.askAndWait' ? 1 : 0);
	expectSent(each, sent);
	for (const secret of secrets) expect(JSON.stringify([run.json, run.hints])).not.toContain(secret);
}

/** Whether the node stops checking: only the API's own word ends a wait, and its key may work again. */
function endsWait({ kind, httpCode = 0 }: FaultCase) {
	return kind === 'rejected' && httpCode === 404;
}

/** As often as the retry policy says. */
function expectSent(each: Case, sent: number) {
	const [fewest, most] = expectedToBeSent(each);
	expect(sent).toBeGreaterThanOrEqual(fewest);
	expect(sent).toBeLessThanOrEqual(most);
}

/** How often, at least and at most, the request that goes wrong is sent. */
function expectedToBeSent({ probe, fault }: Case): [number, number] {
	if (fault.unsent === true) return [0, 0];
	const [fewest, most] = sentInOneTry(probe, fault);
	if (probe.isCheck !== true) return [fewest, most];
	// Nothing is sent in a pause, and 404 may be the end.
	return [fault.kind === 'rateLimited' || endsWait(fault) ? 1 : 3, most * MAX_LOOKS];
}

function sentInOneTry(probe: Probe, { kind, pauses }: FaultCase): [number, number] {
	// Pauses grow: 8 in 5 minutes if the service asks for 20 seconds each time, 10 if it does not say.
	if (kind === 'rateLimited') return pauses ? [2, probe.isCheck ? 3 : 10] : [1, 1];
	if (['rejected', 'redirected'].includes(kind) || !probe.idempotent) return [1, 1];
	// What is interrupted each time is sent to a new address, once.
	if (probe.route.startsWith('PUT ')) return [2, 2 * MAX_SENT];
	return ofStore(probe) ? [2, MAX_SENT] : [MAX_SENT, MAX_SENT];
}

/** A text without what it quotes of the service. */
function ownWords(text: string) {
	return text.replaceAll(SERVICE_WORDS, '').replace(/\((?:[45]\d\d|200)\): .*/s, '');
}
