import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

import { startN8n } from '../../harness/n8n.mts';
import { N8nClient } from '../../harness/n8nClient.mts';
import { logFolder } from '../../harness/n8nProcess.mts';
import { RestSession } from '../../harness/restSession.mts';
import { n8nVersion } from '../../harness/versions.mts';
import { wakingEveryTwoSeconds } from './wakingSoon.mts';

/** What a test file needs to reach the n8n that all of them share. */
export interface SharedN8n {
	readonly baseUrl: string;
	readonly cookie: string;
	readonly version: string;
	readonly logFile: string;
	/** The folder that holds n8n's state. */
	readonly userFolder: string;
}

declare module 'vitest' {
	interface ProvidedContext {
		n8n: SharedN8n;
	}
}

/**
 * Starts, once for a project, the n8n that those tests share which do not need one of their own. It wakes what is due every two
 * seconds, and has the node that `assumptions.test.mts` probes it with.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { N8N_VERSION: version = n8nVersion } = project.config.env;
	await rm(logFolder(version), { recursive: true, force: true });
	const environment = { ...wakingEveryTwoSeconds, N8N_CUSTOM_EXTENSIONS: fileURLToPath(new URL('probe', import.meta.url)) };
	const n8n = await startN8n({ version, environment });
	const { baseUrl, logFile, userFolder } = n8n;
	project.provide('n8n', { baseUrl, cookie: n8n.session.cookie, version: n8n.version, logFile, userFolder });
	return async () => {
		await n8n.close();
	};
}

/** The shared n8n, as a test file drives it: `connectToSharedN8n(inject('n8n'))`. */
export function connectToSharedN8n({ baseUrl, cookie, version }: SharedN8n): N8nClient {
	return new N8nClient(new RestSession(baseUrl, cookie), version);
}
