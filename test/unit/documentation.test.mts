import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { reportFiles } from '../../bench/support/report.mts';
import { projectFolder } from '../../harness/installedPackage.mts';
import { n8nFolder, n8nVersion, requireAsN8n } from '../../harness/versions.mts';
import { type Resource, resources } from '../../nodes/LegalAi/resources/index.ts';

const read = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** What is looked at in a compose file. */
interface Compose {
	services: Record<string, Service>;
	volumes: object;
}
interface Service {
	image: string;
	command?: string;
	depends_on?: string[];
	environment: Record<string, string>;
	volumes?: string[];
}
/** n8n's own parser. */
const { load } = requireAsN8n('js-yaml') as { load: (yaml: string) => Compose };

/** The code of this n8n that reads its settings. */
const code = globSync('node_modules/{n8n,n8n-core,@n8n/config,@n8n/backend-common}/dist/**/*.js', {
	cwd: n8nFolder,
})
	.map((file) => readFileSync(join(n8nFolder, file), 'utf8'))
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
	const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(read('docs/self-hosting.md')) ?? [];
	const { services, volumes } = load(yaml);
	const { n8n, worker } = services;
	expect([n8n?.command, worker?.command]).toEqual([undefined, 'worker']);
	for (const each of [n8n, worker]) {
		const { DB_POSTGRESDB_HOST: database, QUEUE_BULL_REDIS_HOST: redis } = each?.environment ?? {};
		expect(each).toMatchObject({
			image: `docker.n8n.io/n8nio/n8n:${n8nVersion}`,
			depends_on: [database, redis],
		});
		expect(Object.keys(services)).toEqual(expect.arrayContaining([database, redis]));
	}
	const mounted = Object.values(services).flatMap(({ volumes: own = [] }) =>
		own.map((volume) => volume.split(':')[0]),
	);
	expect(mounted.sort()).toEqual(Object.keys(volumes).sort());
});

test('the README names the version of n8n that the tests run on', () => {
	expect(read('README.md')).toContain(`Every test runs on n8n ${n8nVersion}.`);
});

test('bench/RESULTS.md and its plots show the figures that the benches have kept', async () => {
	const files = await reportFiles();
	for (const [path, text] of files) expect(read(join('bench', path)), path).toBe(text);
});

test('the README lists every operation of every resource, and no other', () => {
	const [, table = ''] = /## Operations\n\n([^]*?)\n\n/.exec(read('README.md')) ?? [];
	let current: string[] = [];
	const listed = table
		.split('\n')
		.slice(2)
		.flatMap((row) => {
			const [, labels = '', names = ''] = row.split('|').map((cell) => cell.trim());
			if (labels !== '') current = labels.split(', ');
			return current.flatMap((label) => names.split(', ').map((name) => `${label}: ${name}`));
		});
	const all = Object.values<Resource>(resources).flatMap(({ label, operations }) =>
		Object.values(operations).map(({ option }) => `${label}: ${option.name}`),
	);
	expect(listed.toSorted()).toEqual(all.toSorted());
});
