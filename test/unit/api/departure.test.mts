import { ApiError } from '../../../nodes/LegalAi/api/errors.ts';
import { Departure, ON_DEPARTURE } from '../../../nodes/LegalAi/api/departure.ts';

/* Whether a request that failed has left n8n. That the credential says so: test/engine/wait/certain.test.mts. */

const failure = new Error('The credential "Legal AI" could not be read, key sk-svc-api1-abcdef');

/** The error of a failed request. */
function explain(departure: Departure, error: unknown = failure): unknown {
	try {
		return departure.explain(error);
	} catch (thrown) {
		return thrown;
	}
}

test('as long as no request is known to have left, a failed one may have', () => {
	expect(explain(new Departure())).toBe(failure);
});

test('once this n8n has told of a request, one that it does not tell of has not left', () => {
	const left = new Departure();
	left.asOption()[ON_DEPARTURE]();
	expect(explain(left)).toBe(failure);
	const error = explain(new Departure());
	expect(error).toBeInstanceOf(ApiError);
	expect(error).toMatchObject({
		kind: 'neverSent',
		details: { said: 'The credential "Legal AI" could not be read, key …' },
	});
	expect(explain(new Departure(), 'No key')).toMatchObject({ details: { said: 'No key' } });
});
