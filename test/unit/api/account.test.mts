import { accountOf } from '../../../nodes/LegalAi/api/account.ts';

const SAME = { baseUrl: 'https://legal.example/api/v1', apiKey: 'sk-svc-api1-x' };

test.for<[string, unknown, string, boolean]>([
	['a slash at its end', 'https://legal.example/api/v1//', 'sk-svc-api1-x', true],
	['other letters of its host', ' https://LEGAL.example:443/api/v1', 'sk-svc-api1-x ', true],
	['another path', 'https://legal.example/eu/api/v1', 'sk-svc-api1-x', false],
	['another key', SAME.baseUrl, 'sk-svc-api1-y', false],
])('an address and a key with %s', ([, baseUrl, apiKey, isSame]) => {
	expect(accountOf({ baseUrl, apiKey }) === accountOf(SAME)).toBe(isSame);
});
