import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import type { TestProject } from 'vitest/node';

import { startN8n } from '../../../harness/n8n.mts';
import { type Environment, logFolder } from '../../../harness/n8nProcess.mts';
import { fastTracker } from './wakeSettings.mts';

declare module 'vitest' {
	interface ProvidedContext {
		/** What a test file needs to reach the n8n that all of a project share. */
		n8n: Record<'baseUrl' | 'cookie' | 'logFile' | 'userFolder', string>;
	}
}

/** n8n's protection against requests to internal addresses, which allows those that tests use. */
const protectedFromInternalAddresses: Environment = {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.0/8,::1/128',
};

/**
 * Starts, once for a project, the n8n that those tests share which do not need one of their own. It wakes what is due twice a
 * second, protects internal addresses, and has the node that `assumptions.test.mts` probes it with.
 */
export async function setup(project: TestProject) {
	await rm(logFolder, { recursive: true, force: true });
	const environment = {
		...fastTracker,
		...protectedFromInternalAddresses,
		N8N_CUSTOM_EXTENSIONS: fileURLToPath(new URL('probe', import.meta.url)),
	};
	const n8n = await startN8n({ environment });
	const { baseUrl, session, main, userFolder } = n8n;
	project.provide('n8n', {
		baseUrl,
		cookie: session.cookie,
		logFile: main.logFile,
		userFolder,
	});
	return async () => {
		await n8n.close();
	};
}
