import { ASK, type CredentialValues, logs, sandboxTest } from '../../support/fixtures.mts';
import { listening } from '../../support/engine/listening.mts';

const test = sandboxTest({ answerTime: [0, 0], webhookSecret: 'whsec-first' });

/** A credential's values for secrets, which a test may change later. */
type Secrets = {
	-readonly [Name in 'webhookSecret' | 'previousWebhookSecret']?: CredentialValues[Name];
};

/** Has n8n fail to read a credential, as if it had been deleted. */
function remove(credential: Secrets) {
	Object.defineProperty(credential, 'webhookSecret', {
		enumerable: true,
		get: () => {
			throw new Error('Credential with ID "7" does not exist for type "legalAiApi".');
		},
	});
}

test('if its credential was deleted, the trigger rejects callbacks with the reason, starts nothing, and logs it once', async ({
	sandbox,
}) => {
	const credential: Secrets = {};
	const { deliver, begun } = await listening({ sandbox, credential });
	remove(credential);
	const before = logs.length;
	const message = "The credential of this receiver can't be read. Select another one in n8n.";
	for (let count = 0; count < 3; count++) {
		expect(await deliver()).toEqual([503, { error_code: 'no_credential', message }]);
	}
	expect(begun()).toBe(0);
	expect(logs.slice(before).filter(({ level }) => level !== 'debug')).toHaveLength(1);
});

test('after the key was replaced, and Base URL got a slash, a retry sends what is missing, and nothing again', async ({
	sandbox,
	run,
}) => {
	const credential = {};
	const items = ['first', 'second'].map((words) => ({ json: { words } }));
	sandbox.faults.add({ status: 400, match: ASK, skip: 1 });
	const parameters = { question: '={{ $json.words }}' };
	const failed = await run('question.ask', parameters, { credential, items });
	expect(failed.status).toBe('error');
	// As an administrator does it: the service no longer accepts the old key.
	sandbox.keys.delete(sandbox.apiKey);
	sandbox.keys.set('sk-svc-api1-new', undefined);
	Object.assign(credential, { apiKey: 'sk-svc-api1-new', baseUrl: `${sandbox.baseUrl}/` });
	const again = await failed.retry();
	expect(again.error).toBeUndefined();
	expect(sandbox.questions.map(({ text }) => text)).toEqual(['first', 'second']);
});
