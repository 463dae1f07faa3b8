// Counts what vitest's JSON report says. A test file that could not even be loaded counts as one failed test.
import { existsSync, readFileSync } from 'node:fs';

const [file = ''] = process.argv.slice(2);
if (existsSync(file)) {
	const report = JSON.parse(readFileSync(file, 'utf8'));
	const unloaded = report.testResults.filter(
		({ status, assertionResults }) =>
			status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
	).length;
	const failed = report.numFailedTests + unloaded;
	console.log(`${report.numPassedTests} passed, ${failed} failed`);
	process.exitCode = failed === 0 && report.success ? 0 : 1;
} else {
	console.error('The tests did not run.');
	process.exitCode = 1;
}
