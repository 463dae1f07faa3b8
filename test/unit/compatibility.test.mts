import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import versions from '../n8n/versions.json' with { type: 'json' };
import { projectFolder } from '../support/n8n/installedPackage.mts';
import { n8nFolder } from '../support/n8n/versions.mts';
import { asRecord } from '../support/unknownJson.mts';

const tested = Object.values(versions);

test('the README names the versions of n8n that the tests run on, the newest first', () => {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [, section = ''] = /^## Compatibility\n([^]*?)^## /m.exec(readme) ?? [];
	const named = [...section.matchAll(/^\| (\d[\d.]*) \|/gm)].map(([, version]) => version);
	expect(named).toEqual(tested.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true })));
});

test.each(tested)('the folder of %s installs that version', (version) => {
	const manifest = asRecord(JSON.parse(readFileSync(join(n8nFolder(version), 'package.json'), 'utf8')), 'The manifest');
	expect(manifest.dependencies).toEqual({ n8n: version });
});
