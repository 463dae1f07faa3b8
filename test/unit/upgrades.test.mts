import { describe, expect, test } from 'vitest';

import manifest from '../../package.json' with { type: 'json' };
import { readLegacies } from '../support/upgrades.mts';
import { problemsOf } from './examples/nodeProblems.mts';

describe.each(readLegacies())('a workflow saved by version $version', ({ allFields: { nodes } }) => {
	test.each(nodes)('has a node "$name" whose every parameter is still known and right', (node) => {
		expect(problemsOf(node)).toEqual([]);
	});
});

test('this version has left something for later ones to go on with: scripts/upgradeFixture.mts makes it', () => {
	expect(readLegacies().map(({ version }) => version)).toContain(manifest.version);
});
