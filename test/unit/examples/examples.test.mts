import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { asText } from '../../../harness/unknownJson.mts';
import { Canvas, overlap } from './canvas.mts';
import { problemsOf } from './nodeProblems.mts';
import { examplesFolder, readExamples, STICKY, wiresOf } from './workflowFile.mts';

const examples = readExamples();
const readText = (file: string): string => readFileSync(join(examplesFolder, file), 'utf8');
const LEGAL_AI = 'n8n-nodes-legal-ai.legalAi';

const waitsForAnswer = ({ type, parameters }: INode): boolean =>
	type.startsWith(LEGAL_AI) && !type.endsWith('Tool') && (type.endsWith('Trigger') || parameters.operation === 'askAndWait');

describe.each(examples)('examples/$file', (workflow) => {
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY);
	const canvas = new Canvas(workflow);
	const note = asText(workflow.nodes.find(({ name }) => name === 'About This Workflow')?.parameters.content, 'Its note');

	test('has nodes with names and IDs of their own, a note that explains it, and no credentials', () => {
		for (const property of ['id', 'name'] as const) {
			expect(new Set(workflow.nodes.map((node) => node[property])).size).toBe(workflow.nodes.length);
		}
		expect(note).toContain(`## ${workflow.name}\n`);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	test('gives its nodes only parameters that they have, and all that they need', () => {
		expect(nodes.flatMap(problemsOf)).toEqual([]);
	});

	test('names in its notes only nodes that it has', () => {
		const notes = workflow.nodes
			.filter(({ type }) => type === STICKY)
			.map(({ parameters }) => JSON.stringify(parameters.content));
		const named = notes.flatMap((note) =>
			[...note.matchAll(/\*\*((?:[A-Z]\w*|by|from|in|a|into|of)(?: \w+)+)\*\*/g)].map(([, name]) => name ?? ''),
		);
		expect(named.filter((name) => !nodes.some((node) => node.name === name))).toEqual([]);
	});

	test('has no node that nothing leads to', () => {
		const reached = wiresOf(workflow).flatMap(({ from, to, type }) => (type === 'main' ? [to] : [from]));
		const lonely = nodes.filter((node) => !reached.includes(node) && !/trigger$|webhook$|emailReadImap$/i.test(node.type));
		expect(lonely.map(({ name }) => name)).toEqual([]);
	});

	test('looks at the status of an answer before it does anything with it', () => {
		for (const node of nodes.filter(waitsForAnswer)) {
			const next = wiresOf(workflow)
				.filter(({ from, output }) => from === node && !(output === 1 && node.onError === 'continueErrorOutput'))
				.map(({ to }) => JSON.stringify(to.parameters));
			expect(next.filter((parameters) => !/json\.status\b/.test(parameters))).toEqual([]);
		}
	});

	test('asks in sessions that everyone in the company can open', () => {
		const asks = nodes.filter(({ parameters }) => ['ask', 'askAndWait'].some((operation) => parameters.operation === operation));
		const closed = asks.filter(({ parameters }) => !JSON.stringify(parameters).includes('"visibility":"organization"'));
		expect(closed.map(({ name }) => name)).toEqual([]);
	});

	test('names no status of a task but those that the service documents', () => {
		const tasks = nodes.filter(({ parameters }) => parameters.resource === 'task');
		const statuses = tasks.flatMap((node) =>
			[...JSON.stringify(node.parameters).matchAll(/"status":"([^"]*)"/g)].map(([, status]) => status),
		);
		expect(statuses.filter((status) => status !== 'completed' && status !== 'in_progress')).toEqual([]);
		expect(JSON.stringify(tasks.map(({ parameters }) => parameters))).not.toContain('"priority"');
	});

	test('is laid out without overlaps', () => {
		const boxes = canvas.boxes();
		const overlapping = boxes.flatMap(([name, box], index) =>
			boxes.slice(index + 1).flatMap(([other, otherBox]) => (overlap(box, otherBox) ? [`${name} / ${other}`] : [])),
		);
		expect(overlapping).toEqual([]);
	});

	test('is described for the template library, with the steps of its note, and listed in the README', () => {
		const description = readText(workflow.file.replace('.json', '.md'));
		const headings = [...description.matchAll(/^#+ .*$/gm)].map(([heading]) => heading);
		const sections = ['Who is it for', 'How it works', 'Requirements', 'How to set it up', 'How to customize it'];
		expect(headings).toEqual([`# ${workflow.name}`, ...sections.map((section) => `## ${section}`)]);
		expect(description).toMatch(/^- Self-hosted n8n, version 2, with the community node /m);
		expect(description).toMatch(/^- Questions to Legal AI: /m);
		expect(description).toContain(`${note.split('### Set up\n')[1] ?? 'No steps'}\n`);
		expect(readText('README.md')).toContain(`[${workflow.name}](${workflow.file.replace('.json', '.md')})`);
	});

	test('tells in its note to select an error workflow, and where to find one, unless it is only run by hand', () => {
		const isRunByHand = nodes.every(({ type }) => !/trigger$|webhook$|emailReadImap$/i.test(type) || type.endsWith('.manualTrigger'));
		const isErrorWorkflow = nodes.some(({ type }) => type.endsWith('.errorTrigger'));
		expect(note.includes('⋯ → Settings → Error Workflow')).toBe(!isRunByHand);
		expect(note.includes('/examples/error-workflow.md)')).toBe(!isRunByHand && !isErrorWorkflow);
	});
});

test('every file beside the examples belongs to one', () => {
	const described = readdirSync(examplesFolder).filter((name) => name.endsWith('.md') && name !== 'README.md');
	expect(described).toEqual(examples.map(({ file }) => file.replace('.json', '.md')));
});
