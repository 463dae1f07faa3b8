import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { isRecord } from '../../support/unknownJson.mts';
import { Canvas, overlap } from './canvas.mts';
import { problemsOf } from './nodeProblems.mts';
import { examplesFolder, readExamples, STICKY, wiresOf, type WorkflowFile } from './workflowFile.mts';

const examples = readExamples();
const ANSWERS = ['completed', 'filtered', 'error'];
/** The statuses that a Switch node tells apart, and whether it has an output for all others. */
function statusesOf({ type, parameters }: INode): { statuses: unknown[]; hasRest: boolean } | undefined {
	const { rules, options }: Readonly<Record<string, unknown>> = parameters;
	if (type !== 'n8n-nodes-base.switch' || !isRecord(rules) || !Array.isArray(rules.values)) return undefined;
	const statuses = [...JSON.stringify(rules).matchAll(/\.status \}\}","rightValue":"(\w+)"/g)].map(([, status]) => status);
	return { statuses, hasRest: isRecord(options) && options.fallbackOutput === 'extra' };
}

function nodesAfter(workflow: WorkflowFile, start: INode, seen = new Set<INode>()): Set<INode> {
	for (const { from, to } of wiresOf(workflow)) {
		if (from !== start || seen.has(to)) continue;
		seen.add(to);
		nodesAfter(workflow, to, seen);
	}
	return seen;
}

const operationOf = ({ type, parameters }: INode): unknown =>
	type === 'n8n-nodes-legal-ai.legalAi' && parameters.resource === 'question' ? parameters.operation : undefined;

describe.each(examples)('examples/$file', (workflow) => {
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY);
	const canvas = new Canvas(workflow);

	test('has nodes with names and IDs of their own, a note that explains it, and no credentials', () => {
		for (const property of ['id', 'name'] as const) {
			expect(new Set(workflow.nodes.map((node) => node[property])).size).toBe(workflow.nodes.length);
		}
		expect(workflow.nodes.find(({ name }) => name === 'About This Workflow')?.parameters.content).toContain(`## ${workflow.name}\n`);
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
	});

	test('gives its nodes only parameters that they have, and all that they need', () => {
		expect(nodes.flatMap(problemsOf)).toEqual([]);
	});

	test('names in its notes only nodes that it has', () => {
		const notes = workflow.nodes.filter(({ type }) => type === STICKY).map(({ parameters }) => JSON.stringify(parameters.content));
		const named = notes.flatMap((note) => [...note.matchAll(/\*\*((?:[A-Z]\w*|by|from|in|a|into|of)(?: \w+)+)\*\*/g)].map(([, name]) => name ?? ''));
		expect(named.filter((name) => !nodes.some((node) => node.name === name))).toEqual([]);
	});

	test('has no node that nothing leads to', () => {
		const reached = wiresOf(workflow).flatMap(({ from, to, type }) => (type === 'main' ? [to] : [from]));
		const lonely = nodes.filter((node) => !reached.includes(node) && !/trigger$|webhook$|emailReadImap$/i.test(node.type));
		expect(lonely.map(({ name }) => name)).toEqual([]);
	});

	test('branches on the status right after an answer was waited for, with an output for each outcome', () => {
		for (const node of nodes.filter((one) => ['askAndWait', 'waitForAnswer'].includes(String(operationOf(one))))) {
			const next = wiresOf(workflow).filter(({ from }) => from === node).map(({ to }) => to);
			expect(next.map(statusesOf)).toEqual([{ statuses: ANSWERS, hasRest: true }]);
			for (const branch of next) {
				const outputs = wiresOf(workflow).filter(({ from }) => from === branch).map(({ output }) => output);
				expect(new Set(outputs)).toEqual(new Set([0, 1, 2, 3]));
			}
		}
	});

	test('branches on the status after a trigger', () => {
		for (const trigger of nodes.filter(({ type }) => type.endsWith('legalAiTrigger'))) {
			const branches = [...nodesAfter(workflow, trigger)].map(statusesOf);
			expect(branches).toContainEqual({ statuses: ANSWERS, hasRest: false });
		}
	});

	test('names no status of a task but those that the service documents', () => {
		const tasks = nodes.filter(({ parameters }) => parameters.resource === 'task');
		const statuses = tasks.flatMap((node) => [...JSON.stringify(node.parameters).matchAll(/"status":"([^"]*)"/g)].map(([, status]) => status));
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

	test('is laid out without wires that cross, go back, or run through something', () => {
		const label = ({ from, to }: (typeof canvas.wires)[number]): string => `${from.name} → ${to.name}`;
		expect(canvas.wires.filter((wire) => canvas.isBackward(wire)).map(label)).toEqual([]);
		expect(canvas.wires.flatMap((wire) => canvas.crossedBoxes(wire).map((name) => `${label(wire)} through ${name}`))).toEqual([]);
		const crossing = canvas.wires.flatMap((wire, index) =>
			canvas.wires.slice(index + 1).flatMap((other) => (canvas.cross(wire, other) ? [`${label(wire)} × ${label(other)}`] : [])),
		);
		expect(crossing).toEqual([]);
	});

	test('is described in the README, with a picture below 100 kB', () => {
		const picture = workflow.file.replace('.json', '.png');
		const readme = readFileSync(join(examplesFolder, 'README.md'), 'utf8');
		expect(readme).toContain(`(${workflow.file})`);
		expect(readme).toContain(`](pictures/${picture})`);
		const path = join(examplesFolder, 'pictures', picture);
		expect(existsSync(path)).toBe(true);
		expect(statSync(path).size).toBeLessThan(100 * 1024);
	});
});
