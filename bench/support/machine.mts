import { cpus, release, totalmem, type } from 'node:os';

import { n8nVersion } from '../../harness/versions.mts';

/** What the figures were measured on. */
export interface Machine {
	readonly processors: string;
	readonly memory: string;
	readonly system: string;
	readonly node: string;
	readonly n8n: string;
}

export function machine(): Machine {
	const [first] = cpus();
	return {
		processors: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}`,
		memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
		system: `${type()} ${release().split('.').slice(0, 2).join('.')}`,
		node: process.version,
		n8n: n8nVersion,
	};
}
