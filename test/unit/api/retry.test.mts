import { sleep } from 'n8n-workflow';

import { ApiError, type ErrorKind } from '../../../nodes/LegalAi/api/errors.ts';
import { type Budget, withRetries } from '../../../nodes/LegalAi/api/retry.ts';

/**
 * How often a request is sent if each try takes a second: one that may be repeated, and one that may not. What is sent once
 * is "uncertain" if it may have been carried out.
 */
const TIMES_SENT: Record<ErrorKind, [idempotent: number, nonIdempotent: number | 'uncertain']> = {
	connectionFailed: [5, 5],
	tlsFailed: [1, 1],
	// Until 5 minutes after the first response. The limiter, which is not there, does the waiting.
	rateLimited: [302, 302],
	outcomeUnknown: [5, 'uncertain'],
	sendingInterrupted: [1, 'uncertain'],
	sentUnclear: [1, 'uncertain'],
	sentNotKnown: [1, 1],
	filterIgnored: [1, 1],
	outOfTurn: [1, 1],
	invalidResponse: [5, 'uncertain'],
	responseTooLarge: [1, 'uncertain'],
	redirected: [1, 'uncertain'],
	invalidPage: [1, 1],
	credentialChanged: [1, 1],
	addressNotAllowed: [1, 1],
	blockedByN8n: [1, 1],
	fileTooLarge: [1, 1],
	sessionBusy: [1, 1],
	rejected: [1, 1],
	canceled: [1, 1],
};

const read = { isIdempotent: true };

beforeEach(() => {
	vi.useFakeTimers();
	// Neither end of the spread.
	vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});

/** Sends in vain, and notes when, in ms from the first time. */
async function sendInVain(options: Budget, errorOf: () => Error, tryMs = 0) {
	const begun = Date.now();
	const sentAt: number[] = [];
	const outcome = withRetries(options, async () => {
		sentAt.push(Date.now() - begun);
		if (tryMs > 0) await sleep(tryMs);
		throw errorOf();
	}).catch((error: unknown) => error);
	await vi.runAllTimersAsync();
	return { error: await outcome, sentAt };
}

const policy = (Object.keys(TIMES_SENT) as ErrorKind[]).map(
	(kind) => [kind, ...TIMES_SENT[kind]] as const,
);

describe('the retry policy', () => {
	test.each(policy)(
		'for the error %s sends a repeatable request %s time(s), and any other request: %s',
		async (kind, idempotent, other) => {
			const repeated = await sendInVain({ isIdempotent: true }, () => new ApiError(kind), 1_000);
			expect(repeated.error).toMatchObject({ kind });
			expect(repeated.error).toHaveProperty('details', {});
			expect(repeated.sentAt).toHaveLength(idempotent);

			const { error, sentAt } = await sendInVain(
				{ isIdempotent: false },
				() => new ApiError(kind),
				1_000,
			);
			expect(error).toMatchObject({ kind });
			expect(error).toHaveProperty('details', other === 'uncertain' ? { maybeAccepted: true } : {});
			expect(sentAt).toHaveLength(other === 'uncertain' ? 1 : other);
		},
	);

	test('backs off twice as long each time, spread by a fifth either way', async () => {
		const { sentAt } = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(sentAt).toEqual([0, 500, 1_500, 3_500, 7_500]);
		vi.mocked(Math.random).mockReturnValueOnce(0).mockReturnValueOnce(1);
		const spread = await sendInVain(read, () => new ApiError('connectionFailed'));
		expect(spread.sentAt.slice(0, 3)).toEqual([0, 400, 400 + 1_200]);
	});

	test('waits as long as the service asks, if that is longer', async () => {
		const asked = [100_000, 100];
		const { sentAt } = await sendInVain(
			read,
			() => new ApiError('outcomeUnknown', { retryAfterMs: asked.shift() ?? 0 }),
		);
		expect(sentAt).toEqual([0, 100_000, 101_000, 103_000, 107_000]);
	});

	test.each<[string, number, ApiError]>([
		['backing off', 499, new ApiError('connectionFailed')],
		[
			'a pause that the service asks for',
			60_000,
			new ApiError('outcomeUnknown', { retryAfterMs: 60_001 }),
		],
	])('ends at once if %s would last beyond its deadline', async (_what, patience, expected) => {
		const { error, sentAt } = await sendInVain(
			{ ...read, deadline: Date.now() + patience },
			() => expected,
		);
		expect(error).toMatchObject({ kind: expected.kind });
		expect(sentAt).toEqual([0]);
		expect(vi.getTimerCount()).toBe(0);
	});
});
