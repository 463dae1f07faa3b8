import { fileURLToPath } from 'node:url';

import type { Environment } from '../../harness/n8nProcess.mts';

/** Has n8n look every two seconds for executions to wake: the waiting itself stays as it is. */
export const wakingEveryTwoSeconds: Environment = {
	NODE_OPTIONS: `--require=${fileURLToPath(new URL('wakingSoon.cjs', import.meta.url))}`,
};
