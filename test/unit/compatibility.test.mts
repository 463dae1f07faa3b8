import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import defaultVersion from '../n8n/default.json' with { type: 'json' };
import { projectFolder } from '../support/n8n/installedPackage.mts';
import { isN8n1, n8nFolder, n8nVersions } from '../support/n8n/versions.mts';
import { asRecord } from '../support/unknownJson.mts';

/** The rows of the README's table: a version of n8n, and what is tested on it. */
function compatibility(): Map<string, string> {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [, section = ''] = /^## Compatibility\n([^]*?)^## /m.exec(readme) ?? [];
	const rows = section.matchAll(/^\| (\d[\d.]*) \| (.+) \|$/gm);
	return new Map([...rows].map(([, version = '', tested = '']) => [version, tested]));
}

test('the README names the versions of n8n that the tests run on, the newest first', () => {
	const newestFirst = n8nVersions.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
	expect([...compatibility().keys()]).toEqual(newestFirst);
});

test('the README says that everything is tested on n8n 2, and everything except the examples on n8n 1', () => {
	for (const [version, tested] of compatibility()) {
		if (isN8n1(version)) expect(tested).toMatch(/^Everything except the \[examples\]/);
		else expect(tested).toBe('Everything');
	}
});

test('the default version is one of them', () => {
	expect(n8nVersions).toContain(defaultVersion.version);
});

test.each(n8nVersions)('the folder of %s installs that version', (version) => {
	const manifest = asRecord(JSON.parse(readFileSync(join(n8nFolder(version), 'package.json'), 'utf8')), 'The manifest');
	expect(manifest.dependencies).toEqual({ n8n: version });
});
