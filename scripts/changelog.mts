/** A changelog that cannot be released as it is. */
export class ChangelogError extends Error {}

const unreleasedHeading = '## [Unreleased]';
const unreleasedLink = /^\[Unreleased\]: (\S+)\/compare\/\S+$/m;

/**
 * The entries under "Unreleased" of a changelog in the form of https://keepachangelog.com/en/1.1.0/.
 *
 * @throws {ChangelogError} where the section is missing or empty
 */
export function unreleasedEntries(changelog: string) {
	const start = changelog.indexOf(unreleasedHeading);
	if (start === -1) throw new ChangelogError(`CHANGELOG.md has no section "${unreleasedHeading}".`);
	const [section = ''] = changelog
		.slice(start + unreleasedHeading.length)
		.split(/^(?:## |\[Unreleased\]: )/m);
	const entries = section.trim();
	if (!/^- /m.test(entries))
		throw new ChangelogError('CHANGELOG.md has no entries under "Unreleased".');
	return entries;
}

/**
 * The changelog with the entries under "Unreleased" as those of a version, and an empty "Unreleased" above them.
 *
 * @param date of the release, as in 2026-11-21
 * @throws {ChangelogError} where there is nothing to release, or the link of "Unreleased" is missing
 */
export function releaseEntries(changelog: string, version: string, date: string) {
	const entries = unreleasedEntries(changelog);
	const repository = unreleasedLink.exec(changelog)?.[1];
	if (repository === undefined) {
		throw new ChangelogError(
			'CHANGELOG.md has no link "[Unreleased]: <repository>/compare/<version>...HEAD".',
		);
	}
	return changelog
		.replace(entries, () => `## [${version}] - ${date}\n\n${entries}`)
		.replace(
			unreleasedLink,
			`[Unreleased]: ${repository}/compare/${version}...HEAD\n[${version}]: ${repository}/releases/tag/${version}`,
		);
}
