import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { CanceledError } from '../../../nodes/LegalAi/api/errors.ts';
import { NodeRun } from '../../../nodes/LegalAi/execution/nodeRun.ts';
import { hints as texts } from '../../../nodes/LegalAi/messages/hints.ts';
import { fillText } from '../../../nodes/LegalAi/messages/template.ts';
import { look, poll } from '../../../nodes/LegalAi/waiting/looks.ts';
import { askedItem, type AskedItem, type UnaskedItem, type WaitingItem } from '../../../nodes/LegalAi/waiting/waitingItem.ts';
import { askingNode, type Reply, type Sent } from './askingNode.mts';

const NOW = 1_760_000_000_000;
const SECOND = 1_000;

beforeEach(() => {
	vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
	vi.useRealTimers();
});

/** An open question, and how long its answer is waited for. */
function asked(id: string, { maxWait = 1, ...more }: { maxWait?: number } & IDataObject = {}): AskedItem {
	return askedItem({ at: NOW, isSent: true, record: { id, status: 'in_progress', assistant_id: 'default', ...more } }, {}, maxWait);
}

const unasked: UnaskedItem = { options: {}, input: {}, session: undefined, giveUpAt: undefined, isPostponed: true };

/** A service whose questions are answered after so many ms. */
const answeredAfter = (times: Record<string, number> = {}) => ({ id, at }: Sent): Reply => {
	const isAnswered = at >= (times[id] ?? Infinity);
	return { body: { id, status: isAnswered ? 'completed' : 'in_progress', answer: isAnswered ? 'Yes.' : null } };
};

describe('a look', () => {
	async function lookAt(item: AskedItem, reply: (sent: Sent) => Reply): Promise<string[]> {
		const { context, hints } = askingNode({ reply });
		const looked = look(await NodeRun.start(context), [item]);
		await vi.runAllTimersAsync();
		await looked;
		return hints;
	}

	test('brings how the question stands, and keeps what the node has sent with it', async () => {
		const item = asked('q', { attachments_sent: ['nda.docx'], skipped_files: [{ file_name: 'nda.exe', reason: 'No.' }] });
		await lookAt(item, answeredAfter({ q: 0 }));
		expect(item).toMatchObject({
			question: { status: 'completed', answer: 'Yes.', attachments_sent: ['nda.docx'], skipped_files: [{ file_name: 'nda.exe', reason: 'No.' }] },
			isLookedAt: true,
		});
	});

	test('adds nothing about files to a question that came without', async () => {
		const item = asked('q');
		await lookAt(item, answeredAfter({ q: 0 }));
		expect(Object.keys(item.question)).toEqual(['status', 'answer', 'reason', 'session_url', 'session_id', 'id', 'assistant_id']);
	});

	test('that fails leaves the question open, and says which one', async () => {
		const item = asked('q');
		expect(await lookAt(item, () => ({ status: 503 }))).toEqual([fillText(texts.lookFailed, { id: 'q' })]);
		expect(item).toMatchObject({ question: { status: 'in_progress' }, isLookedAt: true });
	});

	test('ends with an execution that is stopped, and says nothing of the question', async () => {
		const { context, hints, stop } = askingNode();
		const run = await NodeRun.start(context);
		stop();
		await expect(look(run, [asked('q')])).rejects.toThrow(CanceledError);
		expect(hints).toEqual([]);
	});
});

describe('polling', () => {
	/** Polls some of the items until something comes out, and says when that was, in ms from the beginning. */
	async function pollFor(
		items: WaitingItem[],
		reply: (sent: Sent) => Reply,
		{ polled = items, until = Infinity, requestsAtOnce }: { polled?: WaitingItem[]; until?: number; requestsAtOnce?: number } = {},
	): Promise<{ sent: Sent[]; end: number }> {
		const { context, sent } = askingNode({ items: items.map(() => ({ 'options.requestsAtOnce': requestsAtOnce })), reply });
		const run = await NodeRun.start(context);
		const polling = poll(run, items.map((value) => ({ value })), new Set(polled), { until: NOW + until, isEnough: () => false })
			.then(() => Date.now() - NOW);
		await vi.runAllTimersAsync();
		return { sent, end: await polling };
	}

	test('ends with the look that brings the last answer', async () => {
		const { sent, end } = await pollFor([asked('q'), asked('r')], answeredAfter({ q: 0, r: 10 * SECOND }));
		expect(end).toBe(sent.at(-1)?.at);
		expect(sent.filter(({ id }) => id === 'q')).toHaveLength(1);
		expect(end).toBeLessThan(25 * SECOND);
	});

	test('counts as a look at the question', async () => {
		const item = asked('q');
		await pollFor([item], answeredAfter());
		expect(item.isLookedAt).toBe(true);
	});

	test('looks neither at other items nor at those that are not asked, and waits for none of them', async () => {
		const [item, other] = [asked('q'), asked('r', { maxWait: 10 })];
		const { sent, end } = await pollFor([item, other, unasked], answeredAfter({ q: 0 }), { polled: [item, unasked], until: 600 * SECOND });
		expect(sent.map(({ id }) => id)).toEqual(['q']);
		expect(end).toBeLessThan(4 * SECOND);
	});

	test('waits as long as any of the items may', async () => {
		const { end } = await pollFor([asked('q', { maxWait: 0.5 }), asked('r', { maxWait: 2 })], answeredAfter());
		expect(end).toBe(120 * SECOND);
	});

	test('takes the longer the more questions are open: 300 requests a minute, and no more', async () => {
		const quick = Array.from({ length: 300 }, (_, index) => `q${index}`);
		const times = { ...Object.fromEntries(quick.map((id) => [id, 70 * SECOND])), last: 200 * SECOND };
		const { sent } = await pollFor(['last', ...quick].map((id) => asked(id, { maxWait: 10 })), answeredAfter(times));
		const looks = sent.filter(({ id }) => id === 'last').map(({ at }) => at);
		const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? NaN));
		expect(gaps[0]).toBeGreaterThanOrEqual(60 * SECOND);
		expect(gaps.at(-1)).toBeLessThan(30 * SECOND);
	});

	test('has no question wait for one that the service fails to show', async () => {
		const failing = answeredAfter({ r: 0 });
		const { sent } = await pollFor(
			[asked('q'), asked('r')],
			(request) => (request.id === 'q' ? { status: 503, headers: { 'retry-after': '20' } } : failing(request)),
			{ requestsAtOnce: 1 },
		);
		const [first, second] = sent;
		expect([first?.id, second?.id]).toEqual(['q', 'r']);
		expect(second?.at).toBe(first?.at);
	});
});
