import { logs, NODE, test, textWith } from '../../support/fixtures.mts';
import { callbackPayload, deliver } from '../../support/engine/publishedTrigger.mts';

test.override({ serviceOptions: { answerTime: [0, 0] } });

test('an event that the trigger does not listen for starts nothing', async ({ listen }) => {
	const { deliver, begun } = await listen({ parameters: { events: ['error'] } });
	expect(await deliver()).toMatchObject([200, { message: textWith('not listen') }]);
	expect(begun()).toBe(0);
});

test.for<[string, object, object]>([
	['?assistant_id=contracts', {}, { assistant_id: 'contracts' }],
	['', {}, {}],
	['?assistant_id=', {}, {}],
	// The address is not signed.
	['?assistant_id=forged', { assistant_id: 'contracts' }, { assistant_id: 'contracts' }],
])(
	'the item of a callback to an address with "%s" that says %j has %j',
	async ([query, said, assistant], { service, listen }) => {
		const { url, waitForExecution } = await listen();
		await deliver(service, url + query, callbackPayload('q', said));
		expect((await waitForExecution()).readItems(NODE).map(({ json }) => json)).toEqual([
			{ ...callbackPayload('q'), ...assistant },
		]);
	},
);

test.for(['application/octet-stream', 'application/xml', 'text/plain; charset=utf-8', 'nonsense'])(
	'a signed callback counts, whatever its content type: %s',
	async (contentType, { listen }) => {
		const { deliver, begun } = await listen();
		expect(
			(await deliver(callbackPayload('q'), { headers: { 'content-type': contentType } }))[0],
		).toBe(200);
		expect(begun()).toBe(1);
	},
);

test('if its credential was deleted, the trigger rejects callbacks with the reason, starts nothing, and logs it once', async ({
	listen,
}) => {
	const credential = {};
	const { deliver: post, begun } = await listen({ credential });
	Object.defineProperty(credential, 'webhookSecret', {
		enumerable: true,
		get: () => {
			throw new Error('Credential with ID "7" does not exist for type "legalAiApi".');
		},
	});
	const before = logs.length;
	const message = "The credential of this trigger can't be read. Select another one in n8n.";
	for (let count = 0; count < 3; count++)
		expect(await post()).toEqual([503, { error_code: 'no_credential', message }]);
	expect(begun()).toBe(0);
	expect(logs.slice(before).filter(({ level }) => level !== 'debug')).toHaveLength(1);
});

test('an option about files that is wrong fails the execution, which keeps the answer, and not the delivery', async ({
	listen,
}) => {
	const options = { downloadFiles: true, maxFileSize: 0 };
	const { deliver: post, waitForExecution } = await listen({ parameters: { options } });
	expect(await post()).toEqual([200, { message: 'Accepted.' }]);
	const { error } = await waitForExecution();
	expect(error?.message).toEqual(textWith('"Max File Size (MB)" must be a number'));
});
