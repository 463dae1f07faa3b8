import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readQuestion, type Question } from '../../../nodes/LegalAi/api/questions.ts';
import { AnswerCache } from '../../../nodes/LegalAi/waiting/answerCache.ts';

const question = (id: string, answer = 'Yes.'): Question => readQuestion({ id, status: 'completed', answer }, 'default');
const TEN_MILLION = 10_000_000;

test('answers are kept for each execution on its own, until it has them', () => {
	const cache = new AnswerCache();
	cache.add('1', question('a'));
	cache.add('1', question('b'));
	cache.add('2', question('a', 'No.'));
	expect([...cache.get('1').keys()]).toEqual(['a', 'b']);
	expect(cache.get('2').get('a')?.answer).toBe('No.');
	cache.delete('1');
	expect(cache.get('1').size).toBe(0);
	expect(cache.get('2').size).toBe(1);
});

test('an execution that nothing is known of has no answers, and is not one more to keep', () => {
	const cache = new AnswerCache();
	expect(cache.get('1').size).toBe(0);
	cache.delete('1');
	expect(cache.get('1').size).toBe(0);
});

test('the first answer to a question counts', () => {
	const cache = new AnswerCache();
	cache.add('1', question('a', 'first'));
	cache.add('1', question('a', 'second'));
	expect(cache.get('1').get('a')?.answer).toBe('first');
});

test('the longest ones ago go when it gets too much, and never the one that was just heard of', () => {
	const cache = new AnswerCache();
	for (const id of ['1', '2', '3', '4']) cache.add(id, question('a', 'x'.repeat(TEN_MILLION)));
	cache.add('1', question('b'));
	cache.add('5', question('a', 'x'.repeat(TEN_MILLION)));
	expect(['1', '2', '3', '4', '5'].filter((id) => cache.get(id).size > 0)).toEqual(['1', '3', '4', '5']);
	expect(cache.get('1').size).toBe(2);

	cache.add('6', question('a', 'x'.repeat(6 * TEN_MILLION)));
	expect(['1', '3', '4', '5', '6'].filter((id) => cache.get(id).size > 0)).toEqual(['6']);
});

test('what was taken out makes room, and many small answers are bounded too', () => {
	const cache = new AnswerCache();
	for (let count = 0; count < 20; count++) {
		cache.add('large', question('a', 'x'.repeat(TEN_MILLION)));
		cache.delete('large');
	}
	cache.add('kept', question('a'));
	for (let count = 0; count < 4; count++) cache.add(`large ${count}`, question('a', 'x'.repeat(TEN_MILLION)));
	expect(cache.get('kept').size).toBe(1);

	const many = new AnswerCache();
	for (let count = 0; count < 50_000; count++) many.add(String(count), question('a'));
	expect(many.get('0').size).toBe(0);
	expect(many.get('49999').size).toBe(1);
});

test('whatever is added and taken out, an execution has what was added since it was last taken out', () => {
	const step = fc.record({ execution: fc.constantFrom('1', '2', '3'), id: fc.option(fc.constantFrom('a', 'b', 'c')) });
	fc.assert(
		fc.property(fc.array(step), (steps) => {
			const cache = new AnswerCache();
			const expected = new Map<string, Set<string>>();
			for (const { execution, id } of steps) {
				if (id === null) {
					cache.delete(execution);
					expected.delete(execution);
				} else {
					cache.add(execution, question(id));
					expected.set(execution, (expected.get(execution) ?? new Set<string>()).add(id));
				}
			}
			for (const execution of ['1', '2', '3']) {
				expect(new Set(cache.get(execution).keys())).toEqual(expected.get(execution) ?? new Set());
			}
		}),
	);
});
