import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { N8nClient } from '../../../harness/n8nClient.mts';

/** Has n8n wake a parked execution (by default, all of them) at its next look, as if the time until then were over. */
export function wakeNow({ userFolder }: N8nClient, executionId = '%') {
	const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		timeout: 5_000,
	});
	try {
		database
			.prepare("UPDATE execution_entity SET waitTill = ? WHERE id LIKE ? AND status = 'waiting'")
			.run(now, executionId);
	} finally {
		database.close();
	}
}
