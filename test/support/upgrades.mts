import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from './n8n/installedPackage.mts';
import type { StoredCredential, WorkflowDefinition } from './n8n/n8nClient.mts';
import type { JsonRecord } from './unknownJson.mts';

/** Where each version of the package has left something for later ones: workflows and parked executions, as n8n has them. */
export const upgradesFolder = join(projectFolder, 'test', 'upgrades');

/** A question that a parked execution knows, in the order in which they were asked. */
export interface KnownQuestion {
	readonly id: string;
	readonly text: string;
	/** The question that opened the session which it goes on with; undefined if it opened its own. */
	readonly sessionId: string | undefined;
	readonly isOpen: boolean;
}

/** An execution that was parked by a version of the package, with its rows in n8n's database. */
export interface ParkedExecution {
	readonly name: string;
	readonly workflow: WorkflowDefinition;
	readonly workflowId: string;
	readonly credentials: readonly StoredCredential[];
	readonly questions: readonly KnownQuestion[];
	/** In ms since the epoch. */
	readonly parkedAt: number;
	/** The row of `execution_entity`. */
	readonly entity: JsonRecord;
	/** The row of `execution_data`. */
	readonly data: JsonRecord;
}

/** What a version has left. */
export interface Legacy {
	readonly version: string;
	/** Nodes with every field of every operation, each with every choice. */
	readonly allFields: WorkflowDefinition;
	readonly parked: readonly ParkedExecution[];
}

/** What the versions up to this one have left. */
export function readLegacies(): Legacy[] {
	const versions = existsSync(upgradesFolder) ? readdirSync(upgradesFolder) : [];
	return versions.map((version) => {
		const read = (file: string): unknown => JSON.parse(readFileSync(join(upgradesFolder, version, file), 'utf8'));
		return {
			version,
			allFields: read('allFields.json') as WorkflowDefinition,
			parked: read('parked.json') as ParkedExecution[],
		};
	});
}
