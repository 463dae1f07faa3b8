import { Socket } from 'node:net';

import { test } from '../../support/fixtures.mts';

test.override({
	serviceOptions: { answer: () => ({ status: 'completed', answer: 'Done.', after: 0 }) },
	timesFaster: 100,
});

test.for(['question.ask', 'task.create'])(
	'%s: what was sent to a socket that accepts nothing is sent again after our own timer of a minute, since it never reached the service',
	async (operation, { service, run }) => {
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
		expect(service.questions.length + service.requestsTo('POST /tasks').length).toBe(1);
	},
);
