import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { markUsed, pruneUnused } from '../../harness/n8nCache.mjs';

const cache = mkdtempSync(join(tmpdir(), 'n8n-cache-'));

afterAll(() => {
	rmSync(cache, { recursive: true });
});

function makeInstallation(name: string) {
	const installation = join(cache, name);
	mkdirSync(join(installation, 'node_modules'), { recursive: true });
	return installation;
}

/** An installation that was last used so many days ago. */
function makeUsedInstallation(name: string, days: number) {
	const installation = makeInstallation(name);
	markUsed(installation);
	const lastUse = Date.now() / 1000 - days * 24 * 60 * 60;
	utimesSync(join(installation, 'last-used'), lastUse, lastUse);
	return installation;
}

test('an n8n that was not used for 30 days is removed', () => {
	const unused = makeUsedInstallation('unused', 31);
	pruneUnused(cache);
	expect(existsSync(unused)).toBe(false);
});

test('an n8n that was used within 30 days stays', () => {
	const used = makeUsedInstallation('used', 29);
	pruneUnused(cache);
	expect(existsSync(used)).toBe(true);
});

test('an old n8n that is used again stays', () => {
	const usedAgain = makeUsedInstallation('used-again', 400);
	markUsed(usedAgain);
	pruneUnused(cache);
	expect(existsSync(usedAgain)).toBe(true);
});

test('a folder in the cache that is no installation stays', () => {
	const foreign = makeInstallation('foreign');
	pruneUnused(cache);
	expect(existsSync(foreign)).toBe(true);
});
