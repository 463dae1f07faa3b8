import { afterEach, describe, expect, test, vi } from 'vitest';

import { ApiFailure, failureOfTransport, type FailureKind } from '../../nodes/LegalAi/api/failure.ts';
import { backoff, parseRetryAfter, withRetries, type Repetition } from '../../nodes/LegalAi/api/retry.ts';

afterEach(() => {
	vi.useRealTimers();
});

/** Every kind of failure, and how often a request with it is sent in all. */
const SENT: Record<FailureKind, Record<Repetition, number>> = {
	unreached: { repeatable: 5, once: 5 },
	interrupted: { repeatable: 5, once: 1 },
	unreadable: { repeatable: 5, once: 1 },
	unlistable: { repeatable: 1, once: 1 },
	throttled: { repeatable: 1, once: 1 },
	refused: { repeatable: 1, once: 1 },
	unanswered: { repeatable: 1, once: 1 },
	untrusted: { repeatable: 1, once: 1 },
	cancelled: { repeatable: 1, once: 1 },
};

const rows = Object.entries(SENT).flatMap(([kind, counts]) =>
	Object.entries(counts).map(([repetition, count]) => ({ kind, repetition, count }) as {
		kind: FailureKind;
		repetition: Repetition;
		count: number;
	}),
);

describe('the retry policy', () => {
	test.each(rows)('sends what is $repetition and $kind $count times', async ({ kind, repetition, count }) => {
		vi.useFakeTimers();
		let sent = 0;
		const outcome = withRetries(repetition, {}, () => {
			sent += 1;
			return Promise.reject(new ApiFailure(kind));
		}).catch((error: unknown) => error);
		await vi.runAllTimersAsync();

		expect(await outcome).toMatchObject({ kind });
		expect(sent).toBe(count);
		const unsure = repetition === 'once' && (kind === 'interrupted' || kind === 'unreadable');
		expect(await outcome).toHaveProperty('facts', unsure ? { mayHaveBeenAccepted: true } : {});
	});

	test('ends before its deadline', async () => {
		let sent = 0;
		const send = (): Promise<never> => {
			sent += 1;
			return Promise.reject(new ApiFailure('unreached'));
		};
		await expect(withRetries('repeatable', { deadline: Date.now() + 10 }, send)).rejects.toMatchObject({ kind: 'unreached' });
		expect(sent).toBe(1);
	});

	test('lets through what is no failure of a request', async () => {
		const bug = new TypeError('a bug');
		await expect(withRetries('repeatable', {}, () => Promise.reject(bug))).rejects.toBe(bug);
	});

	test('ends at once when it is stopped', async () => {
		const stop = new AbortController();
		const outcome = withRetries('repeatable', { signal: stop.signal }, () => Promise.reject(new ApiFailure('unreached')));
		stop.abort();
		await expect(outcome).rejects.toMatchObject({ kind: 'cancelled' });
	});
});

test('waits double up to a longest one, with a jitter of a fifth', () => {
	for (const [attempt, ms] of [500, 1000, 2000, 4000, 4000, 4000].entries()) {
		const wait = backoff(attempt, 500, 4000);
		expect(wait).toBeGreaterThanOrEqual(ms * 0.8);
		expect(wait).toBeLessThanOrEqual(ms * 1.2);
	}
});

describe('Retry-After', () => {
	test.each([
		['30', 30_000],
		[' 30 ', 30_000],
		['0', 0],
		['1.5', 1500],
		['Wed, 21 Oct 2015 07:28:00 GMT', 0],
		['soon', undefined],
		['wait 40', undefined],
		['-5', undefined],
		['', undefined],
		[undefined, undefined],
		[['30'], undefined],
	])('%j means %j ms', (header, ms) => {
		expect(parseRetryAfter(header)).toBe(ms);
	});

	test('as a date to come means the time until then', () => {
		vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
		expect(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT')).toBe(60_000);
	});
});

describe('a request without an answer', () => {
	test.each([
		['ECONNREFUSED', 'unreached'],
		['ENOTFOUND', 'unreached'],
		['EAI_AGAIN', 'unreached'],
		['ECONNRESET', 'interrupted'],
		['ECONNABORTED', 'interrupted'],
		['ETIMEDOUT', 'interrupted'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
		['CERT_HAS_EXPIRED', 'untrusted'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'untrusted'],
		['EPROTO', 'untrusted'],
		['HPE_INVALID_CONSTANT', 'unreadable'],
		['ERR_CANCELED', 'cancelled'],
	])('with code %s is %s', (code, kind) => {
		const cause = Object.assign(new Error('inner'), { code });
		expect(failureOfTransport(new Error('outer', { cause }))).toMatchObject({ kind, facts: { networkCode: code } });
	});

	test('that timed out while connecting never arrived', () => {
		const error = Object.assign(new Error('timed out'), { code: 'ETIMEDOUT', syscall: 'connect' });
		expect(failureOfTransport(error).kind).toBe('unreached');
	});

	test('of which nothing is known may have arrived, and its words hold no key', () => {
		const failure = failureOfTransport(new Error('odd: Bearer sk-svc-api1-abc at https://x.example/y?sig=abc'));
		expect(failure).toMatchObject({ kind: 'interrupted', facts: { serviceMessage: 'odd: Bearer … at https://x.example/y' } });
	});
});
