import { paginateTasks, readTask } from '../../../nodes/LegalAi/api/tasks.ts';
import { collect } from '../../../nodes/LegalAi/api/pagination.ts';
import { startClient } from '../../support/clients.mts';

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

test('a filter that is off or empty is not sent', async () => {
	const { client, sent } = await startClient({ reply: () => ({ body: [] }) });
	const filters = {
		archived: false,
		draft: true,
		query: ' ',
		status: [],
		tags: ['a', 'b'],
		team_id: null,
	};
	await collect(paginateTasks(client, { filters }), 1, (task) => task);
	expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?draft=true&query=+&tags=a%2Cb']);
});
