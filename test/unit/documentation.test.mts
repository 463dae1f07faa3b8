import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { asRecord } from '../../harness/unknownJson.mts';
import { projectFolder } from '../../harness/installedPackage.mts';
import { n8nFolder, n8nVersion, requireAsN8n } from '../../harness/versions.mts';

const folder = n8nFolder;
const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
/** n8n's own parser. */
const { load } = requireAsN8n('js-yaml') as { load: (yaml: string) => unknown };

const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(read('docs/self-hosting.md')) ?? [];
const compose = asRecord(load(yaml), 'The compose file');

/** The code of this n8n that reads its settings. */
const code = globSync('node_modules/{n8n,n8n-core,@n8n/config,@n8n/backend-common}/dist/**/*.js', {
	cwd: folder,
})
	.map((file) => readFileSync(join(folder, file), 'utf8'))
	.join('\n');

const SETTING = /\b(?:(?:N8N|EXECUTIONS|QUEUE_BULL|DB)_[A-Z0-9_]+|WEBHOOK_URL)\b/g;
const settings = ['docs/self-hosting.md', 'docs/security.md', 'README.md'].flatMap(
	(page) => read(page).match(SETTING) ?? [],
);

test.each([...new Set(settings)])(
	'the tested n8n knows the setting %s of the documentation',
	(name) => {
		expect(code).toContain(name);
	},
);

test('the compose file of docs/self-hosting.md runs the tested n8n, as main process and as worker, with all that they depend on', () => {
	const services = asRecord(compose.services, 'Its services');
	const processes = ['n8n', 'worker'].map((name) => asRecord(services[name], name));
	for (const each of processes) {
		expect(each.image).toBe(`docker.n8n.io/n8nio/n8n:${n8nVersion}`);
		expect(Object.keys(services)).toEqual(expect.arrayContaining(each.depends_on as unknown[]));
		const { DB_POSTGRESDB_HOST: database, QUEUE_BULL_REDIS_HOST: redis } = asRecord(
			each.environment,
			'Its environment',
		);
		expect(each.depends_on).toEqual([database, redis]);
	}
	expect(processes.map(({ command }) => command)).toEqual([undefined, 'worker']);
	const mounted = Object.values(services).flatMap(
		(service) => (asRecord(service, 'A service').volumes as string[] | undefined) ?? [],
	);
	expect(mounted.map((volume) => volume.split(':')[0]).sort()).toEqual(
		Object.keys(asRecord(compose.volumes, 'Its volumes')).sort(),
	);
});

test('the README names the version of n8n that the tests run on', () => {
	expect(read('README.md')).toContain(`Every test runs on n8n ${n8nVersion}.`);
});
