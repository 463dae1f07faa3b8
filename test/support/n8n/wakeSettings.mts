import { fileURLToPath } from 'node:url';

import type { Environment } from '../../../harness/n8nProcess.mts';

const preload = (file: string) => `--require=${fileURLToPath(new URL(file, import.meta.url))}`;

/** Makes n8n's wait tracker look twice a second for executions to wake. How long each execution waits stays the same. */
export const fastTracker: Environment = { NODE_OPTIONS: preload('fastTracker.cjs') };

/** Also wakes an execution after half a second if it is due within 70 seconds: a node that checks once a minute then checks at once. */
export const fastWakes: Environment = {
	NODE_OPTIONS: `${preload('fastTracker.cjs')} ${preload('fastWakes.cjs')}`,
};

/**
 * Makes n8n recover executions by their stored status alone, after it was killed. By default, it also reads its event log, which it writes
 * a little later than the status: killed in between, it can leave a running execution as it is, and mark one as crashed that has just parked.
 */
export const simpleRecovery: Environment = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };
