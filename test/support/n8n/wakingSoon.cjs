// Preloaded into n8n by tests: its tracker looks for executions to wake every 2 seconds instead of every 60.
const { setInterval: original } = globalThis;
globalThis.setInterval = (run, ms, ...rest) =>
	original(
		run,
		ms === 60_000 && String(run).includes('getWaitingExecutions') ? 2_000 : ms,
		...rest,
	);
