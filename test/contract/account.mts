import { isRecord } from '../../harness/unknownJson.mts';
import { clause, type Clause, Differs, NotTried } from './clause.mts';
import {
	either,
	expectFields,
	expectOk,
	expectRefusal,
	expectStatus,
	exactly,
	joinNames,
	nothing,
	text,
} from './shape.mts';

const UNKNOWN_KEY = 'sk-svc-api1-00000000-0000-4000-8000-000000000000';

const KEYS: [what: string, headers: Record<string, string>, message: string][] = [
	['without a key', {}, 'Missing Authorization header'],
	['with a key of another form', { authorization: 'Bearer not-a-key' }, 'Invalid API key format'],
	['with an unknown key', { authorization: `Bearer ${UNKNOWN_KEY}` }, 'Invalid API key'],
];

/** The key and its user (specification, "Authentication", "User"). */
export const account: Clause[] = [
	clause('GET /me tells the user and the organization behind the key', async (service) => {
		const names = { user_id: text, customer_id: text, user_email: text, customer_name: text };
		const fields = { ...names, user_name: either(text, nothing) };
		return joinNames(expectFields(expectOk(await service.get('/me')), fields));
	}),
	...KEYS.map(([what, headers, message]) =>
		clause(
			`A request ${what} gets 401 with error_code "unauthorized" and the message "${message}"`,
			async (service) => {
				const reply = await service.get('/playbooks', headers);
				expectRefusal(reply, 401, 'unauthorized', exactly(message));
			},
		),
	),
	clause('GET /me without a key gets 401 with one of the two error bodies', async (service) => {
		const { status, body } = await service.get('/me', {});
		const isError =
			isRecord(body) && ('error_code' in body || ('error' in body && 'status' in body));
		if (status !== 401 || !isError)
			throw new Differs('status 401 with error_code, or with error and status', `status ${status}`);
		return joinNames(body);
	}),
	clause('A path that does not exist gets 404', async (service) => {
		expectStatus(await service.get('/comments'), 404);
	}),
];

/** The limits of the service. The check does not provoke them: others in the organization share them. */
export const limits: Clause[] = [
	clause('A response of 429 says in Retry-After how long to wait', ({ limits: forms }) => {
		if (forms.size === 0) throw new NotTried('the service limited no request of this check');
		const wrong = [...forms].find((form) => form !== 'seconds' && form !== 'a date');
		if (wrong !== undefined) throw new Differs('seconds or a date', wrong);
		return [...forms].join(', ');
	}),
];
