import { Socket } from 'node:net';

import { sandboxTest } from '../../support/fixtures.mts';

const test = sandboxTest(
	{ answer: () => ({ status: 'completed', answer: 'Done.', after: 0 }) },
	100,
);

test.for(['question.ask', 'task.create'])(
	'%s: what was sent to a socket that accepts nothing is sent again after our own timer of a minute, since it never reached the service',
	async (operation, { sandbox, run }) => {
		const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(function (
			this: Socket,
		) {
			// Neither connected nor refused.
			Object.assign(this, { connecting: true });
			return this;
		});
		const { error } = await run(operation, { question: 'May we sign?', title: 'Review the NDA' });
		connect.mockRestore();
		expect(error?.message).toBeUndefined();
		expect(sandbox.questions.length + sandbox.requestsTo('POST /tasks').length).toBe(1);
	},
);
