import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { projectFolder } from '../../harness/installedPackage.mts';
import { listenLocally } from '../../harness/localServer.mts';
import { asRecord, asText } from '../../harness/unknownJson.mts';
import { readBundledLibraries } from '../../scripts/bundledLibraries.mts';

/** What `npm run audit-libraries` asks for, prints and ends with if the registry answers like this. */
async function audit(status: number, advisories: Readonly<Record<string, unknown>>) {
	let asked: unknown;
	const registry = createServer((request, response) => {
		void text(request).then((body) => {
			asked = { path: request.url, versions: JSON.parse(body) as unknown };
			response.writeHead(status).end(JSON.stringify(advisories));
		});
	});
	const port = await listenLocally(registry);
	const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` };
	const script = [process.execPath, ['scripts/auditLibraries.mts']] as const;
	const output = await promisify(execFile)(...script, { cwd: projectFolder, env }).then(
		() => 'succeeded',
		(failure: unknown) => asText(asRecord(failure, 'The failure').stderr, 'What it printed'),
	);
	registry.close();
	return { asked, output };
}

const advisory = {
	title: 'Slow on deeply nested elements',
	severity: 'high',
	url: 'https://advisories.example/1',
	vulnerable_versions: '<99.0.0',
};

test('the audit asks for the very libraries in the package', async () => {
	const { asked } = await audit(200, {});
	expect(asked).toEqual({
		path: '/-/npm/v1/security/advisories/bulk',
		versions: Object.fromEntries(
			readBundledLibraries().map(({ name, version }) => [name, [version]]),
		),
	});
});

test('the audit succeeds if there is no advisory', async () => {
	const { output } = await audit(200, {});
	expect(output).toBe('succeeded');
});

test('the audit fails with the advisory on a library in the package', async () => {
	const { output } = await audit(200, { htmlparser2: [advisory] });
	expect(output).toBe(
		'htmlparser2: Slow on deeply nested elements (high), https://advisories.example/1\n',
	);
});

test('the audit fails if the registry does not check', async () => {
	const { output } = await audit(405, {});
	expect(output).toContain('The registry did not check the libraries (status 405).');
});
