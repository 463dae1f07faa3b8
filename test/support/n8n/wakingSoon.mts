import { fileURLToPath } from 'node:url';

import type { Environment } from '../../../harness/n8nProcess.mts';

const preload = (file: string) => `--require=${fileURLToPath(new URL(file, import.meta.url))}`;

/** Has n8n look twice a second for executions to wake: the waiting itself stays as it is. */
export const wakingSoon: Environment = { NODE_OPTIONS: preload('wakingSoon.cjs') };

/** Has n8n also wake after half a second what is due within a minute: a node that looks about once a minute looks then. */
export const lookingSoon: Environment = {
	NODE_OPTIONS: `${preload('wakingSoon.cjs')} ${preload('lookingSoon.cjs')}`,
};

/**
 * What n8n does with executions that it was killed over goes by the stored states alone. Its default goes by its log of events
 * too, which is written a little later: killed in that moment, it would now and then leave a running execution as it is, and give
 * up one just parked.
 */
export const simpleRecovery: Environment = { N8N_EVENTBUS_RECOVERY_MODE: 'simple' };
