import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { projectFolder } from '../../harness/installedPackage.mts';
import { n8n1Version, n8nVersion } from '../../harness/versions.mts';

test('the README names the versions of n8n that the tests run on, the newest first', () => {
	const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
	const [, section = ''] = /^## Compatibility\n([^]*?)^## /m.exec(readme) ?? [];
	const named = [...section.matchAll(/^\| (\d[\d.]*) \|/gm)].map(([, version]) => version);
	expect(named).toEqual([n8nVersion, n8n1Version]);
});
