import { expect, test } from 'vitest';

import { readQuestion, type Question } from '../../../nodes/LegalAi/api/questions.ts';
import { AnswerCache } from '../../../nodes/LegalAi/waiting/answerCache.ts';

const TEN_MILLION = 10_000_000;

const question = (id: string, answer = 'Yes.'): Question => readQuestion({ id, status: 'completed', answer }, 'default');
const large = question('a', 'x'.repeat(TEN_MILLION));

/** The executions that the cache has answers of. */
const keptBy = (cache: AnswerCache, executions: readonly string[]): string[] => executions.filter((id) => cache.get(id).size > 0);

test('answers are kept for each execution until it is over; the first answer to a question counts', () => {
	const cache = new AnswerCache();
	cache.add('1', question('a', 'first'));
	cache.add('1', question('a', 'second'));
	cache.add('1', question('b'));
	cache.add('2', question('a', 'other'));
	expect([...cache.get('1').values()].map(({ answer }) => answer)).toEqual(['first', 'Yes.']);
	expect(cache.get('2').get('a')?.answer).toBe('other');
	cache.delete('1');
	cache.delete('1');
	expect(keptBy(cache, ['1', '2'])).toEqual(['2']);
});

test('if there are too many, the executions without a recent answer are dropped first', () => {
	const cache = new AnswerCache();
	for (const id of ['1', '2', '3', '4']) cache.add(id, large);
	cache.add('1', question('b'));
	cache.add('5', large);
	expect(keptBy(cache, ['1', '2', '3', '4', '5'])).toEqual(['1', '3', '4', '5']);
	expect(cache.get('1').size).toBe(2);

	cache.add('6', question('a', 'x'.repeat(6 * TEN_MILLION)));
	expect(keptBy(cache, ['1', '3', '4', '5', '6'])).toEqual(['6']);
});

test('what was deleted makes room, and many small answers are limited, too', () => {
	const cache = new AnswerCache();
	for (let count = 0; count < 20; count++) {
		cache.add('large', large);
		cache.delete('large');
	}
	cache.add('kept', question('a'));
	for (let count = 0; count < 4; count++) cache.add(`large ${count}`, large);
	expect(keptBy(cache, ['kept'])).toEqual(['kept']);

	const many = new AnswerCache();
	for (let count = 0; count < 50_000; count++) many.add(String(count), question('a'));
	expect(keptBy(many, ['0', '49999'])).toEqual(['49999']);
});
