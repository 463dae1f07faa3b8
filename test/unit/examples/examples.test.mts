import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, NodeInputConnections } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { exampleNames, readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { problemsOf } from '../../support/examples/nodeProblems.mts';

const STICKY = 'n8n-nodes-base.stickyNote';
const LEGAL_AI = 'n8n-nodes-legal-ai.legalAi';

const examples = await Promise.all(
	(await exampleNames()).map(async (file) => ({ file, workflow: await readExample(file) })),
);
const readText = (file: string): string =>
	readFileSync(join(projectFolder, 'examples', file), 'utf8');

const isStart = ({ type }: INode): boolean => /trigger$|webhook$|emailReadImap$/i.test(type);

const waitsForAnswer = ({ type, parameters }: INode): boolean =>
	type === `${LEGAL_AI}Trigger` || (type === LEGAL_AI && parameters.operation === 'askAndWait');

describe.each(examples)('examples/$file', ({ file, workflow }) => {
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY);
	const note = asText(
		workflow.nodes.find(({ name }) => name === 'About This Workflow')?.parameters.content,
		'Its note',
	);

	test('has nodes with names and IDs of their own, a note that explains it, and no credentials', () => {
		for (const property of ['id', 'name'] as const) {
			expect(new Set(workflow.nodes.map((node) => node[property])).size).toBe(
				workflow.nodes.length,
			);
		}
		expect(note).toContain(`## ${workflow.name}\n`);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	test('gives its nodes only parameters that they have, and all that they need', () => {
		expect(nodes.flatMap(problemsOf)).toEqual([]);
	});

	test('reads emails with the Legal AI Email node, and with no code', () => {
		const types = nodes.map(({ type }) => type);
		const isMail = types.some((type) => /\.(gmail|microsoftOutlook|emailReadImap)/.test(type));
		expect(types.filter((type) => isMail && /code$|legalAiEmail$/.test(type))).toEqual(
			isMail && !file.includes('reminder') ? [`${LEGAL_AI}Email`] : [],
		);
	});

	test('names in its notes only nodes that it has', () => {
		const notes = JSON.stringify(workflow.nodes.filter(({ type }) => type === STICKY));
		const named = [...notes.matchAll(/\*\*((?:[A-Z]\w*|by|from|in|a|into|of)(?: \w+)+)\*\*/g)].map(
			([, name]) => name,
		);
		expect(named.filter((name) => !nodes.some((node) => node.name === name))).toEqual([]);
	});

	test('connects nodes that it has, and leaves out none', () => {
		const names = nodes.map(({ name }) => name);
		const reached = Object.entries(workflow.connections).flatMap(([from, byType]) =>
			Object.entries(byType).flatMap(([type, outputs]) =>
				type === 'main' ? outputs.flatMap(namesOf) : [from],
			),
		);
		expect(names).toEqual(
			expect.arrayContaining([...Object.keys(workflow.connections), ...reached]),
		);
		expect(nodes.filter((node) => !isStart(node) && !reached.includes(node.name))).toEqual([]);
	});

	test('looks at the status of an answer before it does anything with it', () => {
		for (const { name, onError } of nodes.filter(waitsForAnswer)) {
			const outputs = workflow.connections[name]?.main ?? [];
			const next = outputs
				.filter((_targets, output) => !(output === 1 && onError === 'continueErrorOutput'))
				.flatMap(namesOf);
			const careless = nodes.filter(
				(node) =>
					next.includes(node.name) && !/json\.status\b/.test(JSON.stringify(node.parameters)),
			);
			expect(careless).toEqual([]);
		}
	});

	test('asks in sessions that everyone in the company can open, or in private ones, to which it links nowhere', () => {
		const asks = nodes.filter(({ parameters }) =>
			['ask', 'askAndWait'].some((operation) => parameters.operation === operation),
		);
		const visibilities = new Set(
			asks.map(({ parameters }) => /"visibility":"(\w+)"/.exec(JSON.stringify(parameters))?.[1]),
		);
		if (visibilities.delete('private')) expect(JSON.stringify(nodes)).not.toContain('session_url');
		visibilities.delete('organization');
		expect([...visibilities]).toEqual([]);
	});

	test('names no status of a task but those that the service documents', () => {
		const tasks = nodes.filter(({ parameters }) => parameters.resource === 'task');
		const parameters = JSON.stringify(tasks.map((node) => node.parameters));
		expect(parameters).not.toMatch(/"status":"(?!(completed|in_progress)")/);
		expect(parameters).not.toContain('"priority"');
	});

	test('gives three working days, whatever day of the week it is, where it counts the days of a decision', () => {
		for (const [, listed = ''] of JSON.stringify(nodes).matchAll(
			/\[([\d, ]+)\]\[\$now\.weekday - 1\]/g,
		)) {
			const workingDays = listed
				.split(', ')
				.map(
					(days, index) =>
						Array.from({ length: Number(days) }, (_, day) => (index + 1 + day) % 7).filter(
							(weekday) => weekday < 5,
						).length,
				);
			expect(workingDays).toEqual(Array(7).fill(3));
		}
		expect(JSON.stringify(nodes)).not.toContain('"resumeUnit":"days"');
	});

	test('is described for the template library, with the steps of its note, and listed in the README', () => {
		const description = readText(file.replace('.json', '.md'));
		const headings = [...description.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
		const sections = [
			'Who is it for',
			'How it works',
			'Requirements',
			'How to set it up',
			'How to customize it',
		];
		expect(headings).toEqual([`# ${workflow.name}`, ...sections.map((section) => `## ${section}`)]);
		expect(description).toMatch(/^- Self-hosted n8n, version 2, with the community node /m);
		expect(description).toMatch(/^- Questions to Legal AI: /m);
		expect(description).toContain(`${note.split('### Set up\n')[1] ?? 'No steps'}\n`);
		expect(readText('README.md')).toContain(`[${workflow.name}](${file.replace('.json', '.md')})`);
	});

	test('tells in its note to select an error workflow, and where to find one, unless it is only run by hand', () => {
		const isRunByHand = nodes.every(
			(node) => !isStart(node) || node.type.endsWith('.manualTrigger'),
		);
		const isErrorWorkflow = nodes.some(({ type }) => type.endsWith('.errorTrigger'));
		expect(note.includes('⋯ → Settings → Error Workflow')).toBe(!isRunByHand);
		expect(note.includes('/examples/error-workflow.md)')).toBe(!isRunByHand && !isErrorWorkflow);
	});
});

/** The nodes that an output leads to. */
function namesOf(targets: NodeInputConnections[number]): string[] {
	return (targets ?? []).map(({ node }) => node);
}
