import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { projectFolder } from '../../harness/installedPackage.mts';
import { asList, asRecord, asText } from '../../harness/unknownJson.mts';

/** The paths in the tarball. */
async function readTarball() {
	const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json'], {
		cwd: projectFolder,
	});
	const packed: unknown = JSON.parse(stdout);
	const [tarball] = Array.isArray(packed)
		? asList(packed, 'The tarballs')
		: Object.values(asRecord(packed, 'The tarballs'));
	return asList(asRecord(tarball, 'The tarball').files, 'Its files').map((file) =>
		asText(asRecord(file, 'A file').path, 'A path'),
	);
}

/** What npm would publish. */
const published = await readTarball();

test('the published package contains only what runs, its README and its license', () => {
	const codeAndSchemas =
		/^dist\/(nodes|credentials)\/.+\.js$|^dist\/nodes\/\w+\/__schema__\/v1\.[01]\.0[\w/]*\.json$/;
	const others = published.filter((path) => !codeAndSchemas.test(path));
	expect(others.sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist/icons/legalAi.dark.svg',
		'dist/icons/legalAi.svg',
		'dist/nodes/LegalAi/LegalAi.node.json',
		'dist/nodes/LegalAi/LegalAiTaskTrigger.node.json',
		'dist/nodes/LegalAi/LegalAiTrigger.node.json',
		'dist/nodes/LegalAiEmail/LegalAiEmail.node.json',
		'package.json',
	]);
});
