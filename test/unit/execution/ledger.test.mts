import { Ledger, readKeptLedger } from '../../../nodes/LegalAi/execution/ledger.ts';

const begin = () => Ledger.begin(undefined, { executionId: '1', parameters: 'p', itemCount: 1 });

test('of an answer that a run has, the process keeps which question it was, so that it is not asked again, and nothing more', () => {
	const ledger = begin();
	const accepted = { acceptedAt: 1, acceptedIn: 'run', isOwn: true, sentAs: 'hash' };
	ledger.accept(0, { record: { id: 'q', answer: 'Long.' }, ...accepted });
	const known = () => begin().recall(0, 'hash');
	expect(known()).toMatchObject({ record: { id: 'q', answer: 'Long.' } });
	ledger.release(({ id }) => ({ id }));
	expect(known()).toEqual({ state: 'accepted', record: { id: 'q' }, answerBy: 0, ...accepted });
	expect(ledger.entryOf(0)).toMatchObject({ record: { answer: 'Long.' } });
});

const entries = [
	{ state: 'new' },
	{ state: 'inTurn', askUntil: 1, turnAt: 1 },
	{ state: 'uncertain', error: {} },
	{ state: 'accepted', record: { id: 'q1' }, acceptedAt: 1, acceptedIn: 'run' },
	{ state: 'failed', error: {}, before: { state: 'new' } },
];
const kept = { version: 2, executionId: '1', entries };
const lacking = (object: object) =>
	Object.keys(object).map((name) => ({ ...object, [name]: null }));

test('a ledger that this version has stored is read', () => {
	expect(readKeptLedger(kept)).toBe(kept);
});

test.each([
	...[null, ...lacking(kept)],
	...[1, { ...entries[4], before: {} }, ...entries.flatMap(lacking)].map((entry) => ({
		...kept,
		entries: [...entries, entry],
	})),
])('a ledger is one of another version if something is missing, or no entry (%#)', (other) => {
	expect(() => readKeptLedger(other)).toThrow('another version');
});
