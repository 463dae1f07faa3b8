// Preloaded into n8n by tests: what is to be woken within the next minute is woken after half a second.
const { setTimeout: original } = globalThis;
const sooner = (run, ms, ...rest) => {
	const isWake = ms > 500 && ms <= 70_000 && String(run).includes('startExecution');
	return original(run, isWake ? 500 : ms, ...rest);
};
// With the form of it that returns a promise.
globalThis.setTimeout = Object.defineProperties(sooner, Object.getOwnPropertyDescriptors(original));
