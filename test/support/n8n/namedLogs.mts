import { inject, type ProvidedContext } from 'vitest';

import { logFiles } from '../../../harness/n8nProcess.mts';

// A test that fails names the logs of every n8n that it may have used.
beforeEach(({ onTestFailed }) => {
	onTestFailed(() => {
		// The long tests share none.
		const shared: ProvidedContext['n8n'] | undefined = inject('n8n');
		console.error(['n8n logged to:', shared?.logFile, ...logFiles].join('\n  '));
	});
});
