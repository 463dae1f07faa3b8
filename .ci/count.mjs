// Counts what vitest's JSON reports say together. A test file that could not even be loaded counts as one failed test.
import { existsSync, readFileSync } from 'node:fs';

const files = process.argv.slice(2);
if (files.length > 0 && files.every((file) => existsSync(file))) {
	let [passed, failed] = [0, 0];
	for (const file of files) {
		const report = JSON.parse(readFileSync(file, 'utf8'));
		const unloaded = report.testResults.filter(
			({ status, assertionResults }) =>
				status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
		).length;
		passed += report.numPassedTests;
		failed += report.numFailedTests + unloaded;
		if (!report.success) process.exitCode = 1;
	}
	console.log(`${passed} passed, ${failed} failed`);
	if (failed > 0) process.exitCode = 1;
} else {
	console.error('The tests did not run.');
	process.exitCode = 1;
}
