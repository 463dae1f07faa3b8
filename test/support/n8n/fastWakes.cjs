// Preloaded into n8n by tests: an execution that its wait tracker has set a timer for (up to 70 s) is woken after half a second.
const { setTimeout: original } = globalThis;
const sooner = (run, ms, ...rest) => {
	const isWake = ms > 500 && ms <= 70_000 && String(run).includes('startExecution');
	return original(run, isWake ? 500 : ms, ...rest);
};
// Keeps the property with which util.promisify() finds the form that returns a promise.
globalThis.setTimeout = Object.defineProperties(sooner, Object.getOwnPropertyDescriptors(original));
