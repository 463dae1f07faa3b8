import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { exampleNames, readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import type { WorkflowDefinition } from '../../../harness/n8nClient.mts';
import { descriptionOf } from '../../support/examples/nodeDescriptions.mts';
import { needsCredential, problemsOf } from '../../support/examples/nodeProblems.mts';

/** The lines below that of the example: they count for nothing, and nobody reads them every day. */
const ASIDE = ['When It Fails', 'Tell Owner', 'Every Morning', 'Can It Be Read?'];
/** Examples without a line of their own that tells of a failure: somebody sees the page, or it is told by this very workflow. */
const ATTENDED = ['intake', 'error-workflow'];
/** Examples whose form has files that the question is about. (That of the intake needs one to be sent.) */
const FORMS_WITH_FILES = ['dpa-check', 'nda-triage', 'version-changes'];
/** The steps that take the mark away by which a person has picked something. */
const MARKS = ['Move Email', 'Remove Label', 'Mark as Asked'];
/** What each expression may be: paths, words, a date, a list. */
const NAME = String.raw`\$json|\$\('[^']+'\)\.item\.json`;
const PATH = String.raw`(?:${NAME})(?:\??\.\w+|\[(?:\d|'[^']+')\])+`;
const SHOWN = String.raw`(?:\??\.join\('[^']*'\)|\.toDateTime\(\)\.toFormat\('[^']+'\)|\.replaceAll\('<', '&lt;'\))?`;
const DATE = String.raw`\$now(?:\.(?:plus|minus)\(\{ days: \d+ \}\))?\.toISODate\(\)`;
const OPERAND = String.raw`(?:${PATH}${SHOWN}|${DATE}|'[^']*')`;
const EXPRESSION = new RegExp(`^${OPERAND}(?: \\?\\? ${OPERAND})*$`);

const examples = await Promise.all(
	(await exampleNames()).map(async (file) => ({
		name: file.replace('.json', ''),
		workflow: await readExample(file),
	})),
);
const readPage = (file: string) => readFileSync(join(projectFolder, 'examples', file), 'utf8');
const isNote = ({ type }: INode) => type.endsWith('.stickyNote');
const isOfType =
	(...types: string[]) =>
	({ type }: INode) =>
		types.includes(type.replace(/.*\./, ''));
const isTrigger = ({ type }: INode) => /trigger$/i.test(type);
const doesTask =
	(operation: string) =>
	({ parameters }: INode) =>
		parameters.resource === 'task' && parameters.operation === operation;
const asks = ({ parameters }: INode) => parameters.operation === 'askAndWait';
const textOf = (value: unknown) => JSON.stringify(value);
const names = (nodes: readonly INode[]) => nodes.map(({ name }) => name);

/** The nodes that an output leads to; those of all outputs if none is given. */
function next({ connections }: WorkflowDefinition, name: string, output?: number): string[] {
	const outputs = connections[name]?.main ?? [];
	const chosen = output === undefined ? outputs : [outputs[output]];
	return chosen.flatMap((targets) => (targets ?? []).map(({ node }) => node));
}

/** All nodes behind one. */
function behind(
	workflow: WorkflowDefinition,
	name: string,
	known = new Set<string>(),
): Set<string> {
	for (const target of next(workflow, name).filter((each) => !known.has(each)))
		behind(workflow, target, known.add(target));
	return known;
}

/** The words of a note, without the numbers of its steps. */
const wordsOf = (note: string) =>
	note.split(/\s+/).filter((word) => /\w/.test(word) && !/^\d+\.$/.test(word));

test('half of the examples have at most eight nodes', () => {
	const small = examples.filter(
		({ workflow: { nodes } }) =>
			nodes.filter((node) => !isNote(node) && !ASIDE.includes(node.name)).length <= 8,
	);
	expect(small.length).toBeGreaterThanOrEqual(examples.length / 2);
});

describe.each(examples)('$name', ({ name, workflow }) => {
	const nodes = workflow.nodes.filter((node) => !isNote(node));
	const line = nodes.filter((node) => !ASIDE.includes(node.name));
	const [note = '', ...sections] = workflow.nodes
		.filter(isNote)
		.map(({ parameters }) => String(parameters.content));
	const steps = note.split('### Set up\n')[1] ?? '';
	const questions = nodes.filter(asks);

	test('fits on one screen, from left to right, and its note is short', () => {
		const columns = new Set(line.map(({ position: [x] }) => x));
		expect(line.length).toBeLessThanOrEqual(12);
		expect(columns.size).toBeLessThanOrEqual(10);
		const x = new Map(nodes.map((node) => [node.name, node.position[0]]));
		for (const node of nodes)
			for (const target of next(workflow, node.name))
				expect(x.get(target)).toBeGreaterThan(node.position[0]);
		expect(wordsOf(note).length).toBeLessThanOrEqual(120);
		expect(steps).toMatch(/^1\. .*(\n\d\. .*)+/);
		for (const [index, section] of sections.entries())
			expect(section).toMatch(new RegExp(`^\\*\\*${index + 1}\\. .{4,60}\\*\\*(\\n.{4,60})?$`));
	});

	test('has nodes with names and IDs of their own and parameters that n8n knows, all connected, without credentials', () => {
		for (const property of ['id', 'name'] as const)
			expect(new Set(workflow.nodes.map((node) => node[property])).size).toBe(
				workflow.nodes.length,
			);
		expect(nodes.flatMap(problemsOf)).toEqual([]);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		const reached = nodes.flatMap((node) => next(workflow, node.name));
		expect(names(nodes.filter((node) => !isTrigger(node)))).toEqual(
			expect.arrayContaining([...new Set(reached)]),
		);
		expect(names(nodes.filter((node) => !isTrigger(node) && !reached.includes(node.name)))).toEqual(
			[],
		);
	});

	test('has expressions that are paths, few and short, and no code', () => {
		const found = [
			...textOf(nodes.map(({ parameters }) => parameters)).matchAll(/\{\{ (.*?) \}\}/g),
		];
		const expressions = found.map(([, expression = '']) => expression.replaceAll('\\n', ' '));
		expect(expressions.filter((each) => !EXPRESSION.test(each) || each.length > 100)).toEqual([]);
		expect(expressions.length).toBeLessThanOrEqual(25);
		expect(nodes.filter(isOfType('code', 'markdown'))).toEqual([]);
		expect(textOf(nodes).match(/\$\('([^']+)'\)/g) ?? []).toSatisfy((used: string[]) =>
			used.every((each) => names(nodes).includes(each.slice(3, -2))),
		);
	});

	test('has a way out of each question without an answer, of each step with an error output, and of each email that needs a person', () => {
		expect(
			names(
				questions.filter(
					({ parameters, onError }) =>
						!textOf(parameters.options).includes('"onNoAnswer":"fail"') ||
						onError !== 'continueErrorOutput',
				),
			),
		).toEqual([]);
		const outputs = [
			...nodes
				.filter(({ onError }) => onError === 'continueErrorOutput')
				.map(({ name }) => [name, 1]),
			...nodes.filter(isOfType('legalAiEmail')).flatMap(({ name }) => [
				[name, 0],
				[name, 1],
			]),
		] as const;
		expect(
			outputs.filter(([from, output]) => next(workflow, String(from), Number(output)).length === 0),
		).toEqual([]);
	});

	test('goes on where a file or an email could not be had, and does not ask about a file that is not there', () => {
		const isGet = ({ parameters: { operation, resource } }: INode) =>
			operation === 'download' || (operation === 'get' && resource === 'message');
		const gets = nodes.filter(
			(node) =>
				isGet(node) ||
				isOfType('legalAiEmail')(node) ||
				node.parameters.resource === 'issueAttachment',
		);
		expect(names(gets.filter(({ onError }) => onError !== 'continueRegularOutput'))).toEqual([]);
		// A question that comes by email may have no file.
		const needsFile = gets.length > 0 && name !== 'outlook-mailbox';
		expect(
			questions.filter(
				({ parameters }) => !textOf(parameters.options).includes('"noFileFound":"fail"'),
			),
		).toHaveLength(needsFile ? 0 : questions.length - (FORMS_WITH_FILES.includes(name) ? 1 : 0));
		const losesLinks = isOfType(
			'googleDrive',
			'slack',
			'googleSheets',
			'dataTable',
			'microsoftOneDrive',
		);
		expect(
			names(nodes.filter((node) => losesLinks(node) && node.onError === 'continueErrorOutput')),
		).toEqual([]);
	});

	test('begins with a task, names it by that step, and opens it before the mark is taken and the question asked', () => {
		const about = nodes.filter(
			(node) => doesTask('update')(node) || doesTask('waitForStatus')(node),
		);
		const byStep = textOf({ value: "={{ $('Open Task').item.json.id }}" }).slice(1);
		expect(
			names(about.filter(({ parameters }) => !textOf(parameters.taskId).endsWith(byStep))),
		).toEqual([]);
		const mark = names(nodes).find((each) => MARKS.includes(each)) ?? 'no mark';
		const asked = names(nodes.filter(({ parameters }) => parameters.resource === 'question'));
		const isQueue = nodes.some(
			(node) =>
				isOfType('scheduleTrigger')(node) &&
				!ASIDE.includes(node.name) &&
				asked.some((each) => behind(workflow, node.name).has(each)),
		);
		// A register is its own ledger: what has a row is not taken.
		expect(mark !== 'no mark').toBe(isQueue && name !== 'contract-backlog');
		const order = [['Open Task'], [mark], asked].map((step) =>
			step.filter((each) => names(nodes).includes(each)),
		);
		const late = order.flatMap((step, index) =>
			step.flatMap((first) =>
				order
					.slice(index + 1)
					.flat()
					.filter((second) => !behind(workflow, first).has(second)),
			),
		);
		expect(late).toEqual([]);
	});

	test('gives each task a due date and somebody, proposes duties as drafts, and knows no other status than the service documents', () => {
		const creates = nodes.filter(doesTask('create'));
		expect(
			names(
				creates.filter(
					({ parameters }) =>
						!/"completeBy".*("draft":true|"assignedTo")|("draft":true|"assignedTo").*"completeBy"/.test(
							textOf(parameters),
						),
				),
			),
		).toEqual([]);
		expect(/who gets/.test(note)).toBe(textOf(creates).includes('"assignedTo"'));
		expect(textOf(nodes)).not.toMatch(/"status":\{[^}]*"value":"(?!completed")/);
	});

	test('looks up what may not be there without ending', () => {
		const isLookUp = (node: INode) =>
			(isOfType('dataTable')(node) && node.parameters.operation === 'get') ||
			node.parameters.resource === 'issueAttachment' ||
			next(workflow, node.name).includes('Keep What Is New');
		expect(
			names(
				nodes.filter(
					(node) =>
						isLookUp(node) && !node.name.startsWith('List') && node.alwaysOutputData !== true,
				),
			),
		).toEqual([]);
	});

	test('uses nothing that loses or repeats: triggers of n8n that do, earlier executions, retries, approval by a link, several items that wait for a person', () => {
		expect(
			nodes.filter(isOfType('microsoftTeamsTrigger', 'hubspotTrigger', 'splitInBatches')),
		).toEqual([]);
		expect(textOf(nodes)).not.toMatch(/SeenInPrevious|"approval"|sendAndWait|"retryOnFail":true/);
		const polls = nodes.filter(
			isOfType('microsoftOutlookTrigger', 'gmailTrigger', 'microsoftOneDriveTrigger'),
		);
		expect(textOf(polls)).not.toContain('downloadAttachments');
		expect(next(workflow, 'Every Morning')).toEqual(polls.length > 0 ? ['Can It Be Read?'] : []);
		const waits = names(nodes.filter(doesTask('waitForStatus')));
		const starts = nodes.filter(
			(node) => isTrigger(node) && waits.some((wait) => behind(workflow, node.name).has(wait)),
		);
		expect(names(starts.filter((node) => !isOfType('formTrigger')(node)))).toEqual([]);
	});

	test('sends texts as they are; what leaves the company is a draft; sessions that colleagues open are linked, private ones are not', () => {
		const sends = nodes.filter(
			isOfType('emailSend', 'microsoftOutlook', 'gmail', 'slack', 'microsoftTeams'),
		);
		const asText =
			/"(emailFormat|emailType|messageType|contentType)":"text"|"bodyContentType":"Text"/;
		const writes = sends.filter(({ parameters: { message, text } }) => message ?? text);
		expect(names(writes.filter(({ parameters }) => !asText.test(textOf(parameters))))).toEqual([]);
		const replies = sends.filter(({ parameters: { operation } }) => operation === 'reply');
		const toColleagues = nodes.some(({ parameters }) => parameters.emailsFromOthers === 'person');
		const areDrafts = replies.every(({ parameters }) =>
			textOf(parameters.options).includes('saveAsDraft'),
		);
		expect(areDrafts || toColleagues).toBe(true);
		const visibilities = [...textOf(nodes).matchAll(/"visibility":"(\w+)"/g)].map(
			([, each]) => each,
		);
		expect(visibilities.length).toBe(
			nodes.filter(({ parameters }) => parameters.resource === 'question').length,
		);
		if (visibilities.includes('private')) expect(textOf(nodes)).not.toContain('session_url');
		const forms = nodes.filter(isOfType('formTrigger'));
		expect(forms.filter(({ parameters }) => parameters.authentication !== 'basicAuth')).toEqual([]);
	});

	test('is heard if it fails, and its note names all that has to be filled in', () => {
		const hasLine = next(workflow, 'When It Fails').includes('Tell Owner');
		expect(hasLine).toBe(!ATTENDED.includes(name));
		const named = [...steps.matchAll(/\*\*(.+?)\*\*/g)].map(([, each]) => each);
		expect(
			named.filter((each) => !names(nodes).includes(each ?? '') && each !== 'When It Fails'),
		).toEqual([]);
		const products = [...steps.matchAll(/([A-Z]\w+(?: AI)?)(?: and ([A-Z]\w+))? nodes/g)].flat();
		const isMeant = (node: INode) =>
			named.includes(node.name) ||
			products.some((product) => product && descriptionOf(node).displayName.includes(product));
		const isInvented = (node: INode) =>
			/example\.com|"[A-Z]+_[A-Z_]+"/.test(textOf(node.parameters));
		expect(
			names(nodes.filter((node) => (needsCredential(node) || isInvented(node)) && !isMeant(node))),
		).toEqual([]);
	});

	test('shows something without a product: what starts it is pinned, in texts', () => {
		const first = nodes
			.filter(isTrigger)
			.flatMap(({ name: start }) => [start, ...next(workflow, start)]);
		const pinned = Object.keys(workflow.pinData ?? {});
		// The digest begins with the tasks of the service.
		expect(pinned.length).toBe(name === 'task-digest' ? 0 : 1);
		expect(first).toEqual(expect.arrayContaining(pinned));
		expect(textOf(workflow.pinData)).not.toContain('"binary"');
	});

	test('has a page and two pictures, and is in the table', () => {
		const page = readPage(`${name}.md`);
		const headings = [...page.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
		expect(headings).toEqual([
			`# ${workflow.name}`,
			'## Who it is for',
			'## What it needs',
			'## What leaves the company, and when a person looks',
			'## If something breaks',
			'## Before you publish',
		]);
		for (const picture of [`pictures/${name}.png`, `pictures/${name}-result.png`]) {
			expect(page).toContain(`](${picture})`);
			expect(existsSync(join(projectFolder, 'examples', picture))).toBe(true);
		}
		expect(readPage('README.md')).toContain(`](${name}.md)`);
	});
});
