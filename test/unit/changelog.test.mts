import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ChangelogError, releaseEntries, unreleasedEntries } from '../../scripts/changelog.mts';

const changelog = `# Changelog

## [Unreleased]

### Added

- Costs $1 or $&.

## [0.1.0] - 2026-01-02

### Added

- Everything.

[Unreleased]: https://git.example/legal/compare/0.1.0...HEAD
[0.1.0]: https://git.example/legal/releases/tag/0.1.0
`;

test('a release makes the entries under "Unreleased" those of its version, and links it', () => {
	expect(releaseEntries(changelog, '0.2.0', '2026-03-04')).toBe(`# Changelog

## [Unreleased]

## [0.2.0] - 2026-03-04

### Added

- Costs $1 or $&.

## [0.1.0] - 2026-01-02

### Added

- Everything.

[Unreleased]: https://git.example/legal/compare/0.2.0...HEAD
[0.2.0]: https://git.example/legal/releases/tag/0.2.0
[0.1.0]: https://git.example/legal/releases/tag/0.1.0
`);
});

test('what has just been released cannot be released again', () => {
	const released = releaseEntries(changelog, '0.2.0', '2026-03-04');
	expect(() => releaseEntries(released, '0.3.0', '2026-03-05')).toThrow(
		new ChangelogError('CHANGELOG.md has no entries under "Unreleased".'),
	);
});

test('a changelog without the section, or without its link, is refused', () => {
	expect(() => unreleasedEntries('# Changelog')).toThrow(ChangelogError);
	expect(() => releaseEntries('## [Unreleased]\n\n- A change.', '0.2.0', '2026-03-04')).toThrow(/no link/);
});

test("this package's own changelog can be released", () => {
	const own = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
	const released = releaseEntries(own, '9.9.9', '2026-03-04');
	expect(released).toContain(`## [9.9.9] - 2026-03-04\n\n${unreleasedEntries(own)}`);
	expect(released).toContain('/compare/9.9.9...HEAD\n[9.9.9]: ');
});
