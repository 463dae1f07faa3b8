import { Ledger } from '../../../nodes/LegalAi/execution/ledger.ts';

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
