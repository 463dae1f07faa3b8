import { inject } from 'vitest';

import { logFiles } from '../../../harness/n8nProcess.mts';

// A test that fails names the logs of every n8n that it may have used.
beforeEach(({ onTestFailed }) => {
	onTestFailed(() => {
		console.error(['n8n logged to:', inject('n8n').logFile, ...logFiles].join('\n  '));
	});
});
