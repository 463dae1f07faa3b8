// Preloaded into n8n by tests: its wait tracker looks for executions to wake twice a second instead of every minute.
const { setInterval: original } = globalThis;
globalThis.setInterval = (run, ms, ...rest) =>
	original(run, ms === 60_000 && String(run).includes('getWaitingExecutions') ? 500 : ms, ...rest);
