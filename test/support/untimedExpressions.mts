import { setSafeRegexEngine } from 'n8n-workflow';

// n8n checks an ID by an expression, for which it takes 250 ms at most by the machine's clock. A busy machine may let a process wait that
// long: without a limit, no test fails for it.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, replacement) =>
		input.replace(new RegExp(pattern, flags), replacement),
	matchAll: (pattern, input, flags = '') => [
		...input.matchAll(new RegExp(pattern, `${flags.replace('g', '')}g`)),
	],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});
