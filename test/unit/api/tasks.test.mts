import { readTask } from '../../../nodes/LegalAi/api/tasks.ts';

const task = { id: 't', title: 'Review' };

test.each([task, { task }, { data: task }, { id: '', data: task }])(
	'a task is read from %j',
	(answer) => {
		expect(readTask(answer)).toEqual(task);
	},
);

test.each([undefined, [], [task], {}, { id: 7 }, { other: task }, { data: { task } }])(
	'no task is read from %j',
	(answer) => {
		expect(() => readTask(answer)).toThrow('invalidResponse');
	},
);
