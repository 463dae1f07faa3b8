// Counts what vitest's JSON reports say together, and names what failed, so that the end of the output says it.
// A test file that could not even be loaded counts as one failed test.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const files = process.argv.slice(2);
if (files.length > 0 && files.every((file) => existsSync(file))) {
	let passed = 0;
	const failed = [];
	for (const file of files) {
		const report = JSON.parse(readFileSync(file, 'utf8'));
		for (const { name, status, assertionResults } of report.testResults) {
			const path = relative('.', name);
			const failedHere = assertionResults.filter((result) => result.status === 'failed');
			failed.push(...failedHere.map(({ fullName }) => `${path}: ${fullName}`));
			if (status === 'failed' && failedHere.length === 0) failed.push(`${path}, which was not loaded`);
		}
		passed += report.numPassedTests;
		if (!report.success) process.exitCode = 1;
	}
	for (const test of failed) console.log(`failed: ${test}`);
	console.log(`${passed} passed, ${failed.length} failed`);
	if (failed.length > 0) process.exitCode = 1;
} else {
	console.error('The tests did not run.');
	process.exitCode = 1;
}
