// Preloaded into n8n by tests: what is to be woken within the next minute is woken after two seconds.
const { setTimeout: original } = globalThis;
const sooner = (run, ms, ...rest) => {
	const isWake = ms > 2_000 && ms <= 70_000 && String(run).includes('startExecution');
	return original(run, isWake ? 2_000 : ms, ...rest);
};
// With the form of it that returns a promise.
globalThis.setTimeout = Object.defineProperties(sooner, Object.getOwnPropertyDescriptors(original));
