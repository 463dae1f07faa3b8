import type { NodeEgressFilter } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Reach } from '../../../nodes/LegalAi/api/reach.ts';
import { resolveReach } from '../../../nodes/LegalAi/execution/resolveReach.ts';

const URL_OF_FILE = 'https://files.example.com/a';

/** How far the host of an address reaches if n8n's protection says this of it. */
async function reachIf(validateUrl: NodeEgressFilter['validateUrl']): Promise<Reach> {
	const filter: Pick<NodeEgressFilter, 'validateUrl'> = { validateUrl };
	return await resolveReach({ getSecureEgressFilter: () => filter as NodeEgressFilter }, URL_OF_FILE);
}

describe('the host of an address reaches', () => {
	test('anywhere if n8n has no protection', async () => {
		expect(await resolveReach({}, URL_OF_FILE)).toBe('public');
	});

	test('anywhere if n8n allows that very address', async () => {
		const asked: unknown[] = [];
		const reach = await reachIf(async (url) => {
			asked.push(url);
			return await Promise.resolve({ ok: true, result: undefined });
		});
		expect(reach).toBe('public');
		expect(asked).toEqual([URL_OF_FILE]);
	});

	test('anywhere if its name is not known here', async () => {
		expect(await reachIf(async () => await Promise.reject(new Error('ENOTFOUND')))).toBe('public');
	});

	test.each<[ip: string, reach: Reach]>([
		['10.0.0.1', 'private'],
		['127.0.0.1', 'loopback'],
		['169.254.169.254', 'linkLocal'],
		['203.0.113.7', 'public'],
		['::1', 'loopback'],
		['FE80::1', 'linkLocal'],
		['fd00::1', 'private'],
	])('as far as its address %s if n8n refuses that: %s', async (ip, reach) => {
		const error = Object.assign(new Error('Blocked'), { ip });
		expect(await reachIf(async () => await Promise.resolve({ ok: false, error }))).toBe(reach);
	});

	test('into its own network if n8n refuses it without an address', async () => {
		expect(await reachIf(async () => await Promise.resolve({ ok: false, error: new Error('Blocked') }))).toBe('private');
	});
});
