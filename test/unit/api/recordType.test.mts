import type { Question } from '../../../nodes/LegalAi/api/questions.ts';
import { questionType, taskType } from '../../../nodes/LegalAi/api/recordType.ts';
import type { Task } from '../../../nodes/LegalAi/api/tasks.ts';

const question = { id: 'q', assistant_id: 'default', session_id: 's', answer: 'Yes.' };
const asQuestion = (status: string) => questionType.read({ ...question, status }, question);
const task: Task = { id: 't', title: 'Review' };

test.each<[status: string, isOver: boolean, isSentAgain: boolean]>([
	['in_progress', false, false],
	['completed', true, false],
	['filtered', true, false],
	['error', true, true],
])('a question that is "%s" is over: %s, and a retry asks it again: %s', (status, ...wanted) => {
	const asked: Question = asQuestion(status);
	expect([questionType.isOver(asked), questionType.isSentAgain(asked)]).toEqual(wanted);
});

test('an earlier answer to a question is forgotten before it is waited for anew', () => {
	expect(questionType.unanswered(asQuestion('completed'))).toMatchObject({
		...{ id: 'q', status: 'in_progress', answer: null, session_id: 's', assistant_id: 'default' },
	});
});

test('a task is over if it is archived, is never created again, and stays as it is before it is waited for anew', () => {
	expect([task, { ...task, archived: true }].map(taskType.isOver)).toEqual([false, true]);
	expect(taskType.isSentAgain(task)).toBe(false);
	expect(taskType.unanswered(task)).toBe(task);
});
