import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../harness/installedPackage.mts';
import { releaseEntries } from '../../scripts/changelog.mts';

const changelog = `# Changelog

## [Unreleased]

- Costs $1 or $&.

## [0.1.0] - 2026-01-02

- Everything.

[Unreleased]: https://git.example/legal/compare/0.1.0...HEAD
`;

const released = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-03-04

- Costs $1 or $&.

## [0.1.0] - 2026-01-02

- Everything.

[Unreleased]: https://git.example/legal/compare/0.2.0...HEAD
[0.2.0]: https://git.example/legal/releases/tag/0.2.0
`;

const release = (text: string) => releaseEntries(text, '0.2.0', '2026-03-04');

test('a release makes the entries under "Unreleased" those of its version, and links it', () => {
	expect(release(changelog)).toBe(released);
});

test.each([
	['was just released', released, 'no entries'],
	['has no section "Unreleased"', '# Changelog', 'no section'],
	['has no link for "Unreleased"', '## [Unreleased]\n\n- A change.', 'no link'],
])("a changelog that %s can't be released", (_what, text, reason) => {
	expect(() => release(text)).toThrow(reason);
});

test("this package's own changelog can be released", () => {
	const own = readFileSync(join(projectFolder, 'CHANGELOG.md'), 'utf8');
	expect(release(own)).toContain('## [0.2.0] - 2026-03-04\n');
});
