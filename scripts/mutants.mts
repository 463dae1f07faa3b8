// Mutants are small faults that are put into the sources, one at a time, to see whether the tests notice:
//   npm run mutants [-- part …]     of whole parts; writes the scores into docs/mutants.md
//   npm run mutants -- --changed    of the files that this branch has changed, for ten minutes at most
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parts, type Part } from '../test/mutants/parts.mts';
import { asList, asRecord, type JsonRecord } from '../test/support/unknownJson.mts';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/mutants.md');
const MINUTE_MS = 60_000;
const CHANGED_MS = 10 * MINUTE_MS;

/** How many mutants of a file were noticed, and how many were not. */
interface Score {
	readonly file: string;
	readonly noticed: number;
	readonly survived: number;
}

function reportOf(part: Part): string {
	return join(root, `.cache/mutants/${part.name}.json`);
}

/** What Stryker has written of a part, if it was run. */
function readReport(part: Part): JsonRecord | undefined {
	const report = reportOf(part);
	return existsSync(report) ? asRecord(JSON.parse(readFileSync(report, 'utf8')), report) : undefined;
}

/** Stryker does not see that a constant, which belongs to no test, has one now: what survived is tried again. */
function forgetSurvivors(part: Part): void {
	const report = readReport(part);
	if (report === undefined) return;
	for (const [file, result] of Object.entries(asRecord(report.files, 'The files'))) {
		const found = asRecord(result, file);
		found.mutants = asList(found.mutants, file).filter((mutant) => asRecord(mutant, file).status !== 'Survived');
	}
	writeFileSync(reportOf(part), JSON.stringify(report));
}

/** Has Stryker try the mutants of some files of a part; false if it did not get through in time. */
function tryMutants(part: Part, files: readonly string[], timeoutMs?: number): boolean {
	console.log(`==> ${part.name}: ${files.length} files`);
	forgetSurvivors(part);
	const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const { error, status, signal } = spawnSync(process.execPath, [stryker, 'run', '--mutate', files.join(',')], {
		cwd: root,
		env: { ...process.env, MUTANTS_PART: part.name },
		stdio: 'inherit',
		timeout: timeoutMs,
		// Stryker keeps what it has found out so far.
		killSignal: 'SIGINT',
	});
	// To other tools, what an interrupted run leaves behind would be sources of this package.
	rmSync(join(root, '.cache/stryker'), { recursive: true, force: true });
	if (timeoutMs !== undefined && (signal !== null || error !== undefined)) return false;
	if (error !== undefined || status !== 0) throw new Error(`Stryker ended with ${status ?? 'nothing'}`, { cause: error });
	return true;
}

/** What the last run of a part has found out, and the runs before it of what has not changed since. */
function readScores(part: Part): Score[] {
	const report = readReport(part);
	if (report === undefined) return [];
	return Object.entries(asRecord(report.files, 'The files')).flatMap(([file, result]) => {
		const statuses = asList(asRecord(result, file).mutants, file).map((mutant) => asRecord(mutant, file).status);
		const noticed = statuses.filter((status) => status === 'Killed' || status === 'Timeout').length;
		const survived = statuses.filter((status) => status === 'Survived' || status === 'NoCoverage').length;
		return noticed + survived === 0 || !existsSync(join(root, file)) ? [] : [{ file, noticed, survived }];
	});
}

function percent(scores: readonly Score[]): number {
	const noticed = scores.reduce((sum, score) => sum + score.noticed, 0);
	const all = scores.reduce((sum, score) => sum + score.noticed + score.survived, 0);
	return Math.floor((1000 * noticed) / all) / 10;
}

function row(name: string, scores: readonly Score[]): string {
	const noticed = scores.reduce((sum, score) => sum + score.noticed, 0);
	const survived = scores.reduce((sum, score) => sum + score.survived, 0);
	return `| ${name} | ${noticed + survived} | ${survived} | ${percent(scores).toFixed(1)} % |`;
}

/** The rows of a part in a table of scores. */
function rowsIn(table: string, part: Part): string[] {
	const lines = table.split('\n');
	const first = lines.findIndex((line) => line.startsWith(`| **${part.name}**`));
	if (first === -1) return [];
	const files = lines.slice(first + 1).findIndex((line) => !line.startsWith('| `'));
	return lines.slice(first, first + 1 + files);
}

/** The rows of a part: what was found out now, or else what the page says already. */
function rowsOf(part: Part, table: string): string[] {
	const scores = readScores(part).sort((one, other) => one.file.localeCompare(other.file));
	if (scores.length === 0) return rowsIn(table, part);
	return [row(`**${part.name}**`, scores), ...scores.map((score) => row(`\`${score.file.replace('nodes/LegalAi/', '')}\``, [score]))];
}

function writePage(): void {
	const text = readFileSync(page, 'utf8');
	const [before = '', table = '', after = ''] = text.split(/(?<=<!-- scores -->\n)|(?=<!-- end of scores -->)/);
	const rows = parts.flatMap((part) => rowsOf(part, table));
	writeFileSync(page, [before, ['| File | Mutants | Survived | Noticed |', '|---|---|---|---|', ...rows, ''].join('\n'), after].join(''));
}

/** The sources that differ from what is on main, if this is a branch, or a work tree, that differs at all. */
function changedFiles(): string[] {
	const git = (...args: string[]): string => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();
	const main = git('rev-parse', '--verify', '--quiet', 'origin/main') || git('rev-parse', '--verify', '--quiet', 'main') || 'HEAD';
	const base = git('merge-base', main, 'HEAD') || 'HEAD';
	const changed = git('diff', '--name-only', '--diff-filter=d', base, '--', 'nodes', 'credentials');
	return changed.split('\n').filter((file) => file.endsWith('.ts'));
}

function tryChanged(): void {
	const changed = changedFiles();
	if (changed.length === 0) {
		console.log('No source differs from main: there are no mutants to try.');
		return;
	}
	const deadline = Date.now() + CHANGED_MS;
	const left: string[] = [];
	for (const part of parts) {
		const sources = globSync([...part.sources], { cwd: root });
		for (const file of sources.filter((source) => changed.includes(source))) {
			if (Date.now() >= deadline || !tryMutants(part, [file], deadline - Date.now())) left.push(file);
			else judge(file, part);
		}
	}
	if (left.length > 0) console.log(`Ten minutes are over. Not tried: ${left.join(', ')}. Run "npm run mutants" by hand.`);
}

function judge(file: string, part: Part): void {
	const scores = readScores(part).filter((score) => score.file === file);
	if (scores.length === 0) return;
	const noticed = percent(scores);
	console.log(`${file}: ${noticed} % of its mutants were noticed (at least ${part.least} %).`);
	if (noticed < part.least) process.exitCode = 1;
}

const args = process.argv.slice(2);
if (args.includes('--changed')) tryChanged();
else {
	const unknown = args.filter((arg) => !parts.some(({ name }) => name === arg));
	if (unknown.length > 0) throw new Error(`No parts: ${unknown.join(', ')}. There are ${parts.map(({ name }) => name).join(', ')}.`);
	for (const part of parts) {
		if (args.length === 0 || args.includes(part.name)) tryMutants(part, part.sources);
	}
	writePage();
}
