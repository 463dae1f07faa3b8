import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, NodeInputConnections, NodeParameterValueType } from 'n8n-workflow';

import { exampleNames, readExample } from '../../../harness/examples.mts';
import { projectFolder } from '../../../harness/installedPackage.mts';
import { asText } from '../../../harness/unknownJson.mts';
import { descriptionOf } from '../../support/examples/nodeDescriptions.mts';
import { needsCredential, problemsOf } from '../../support/examples/nodeProblems.mts';
import { silentEndsOf } from '../../support/examples/silentEnds.mts';

const STICKY = 'n8n-nodes-base.stickyNote';
const LEGAL_AI = 'n8n-nodes-legal-ai.legalAi';

/** Where the examples end in silence on purpose: by example and output, with the reason. */
const silentEnds: Record<string, Record<string, string>> = {
	'ask-in-slack': {
		'Create Task to Reply: stops': 'The execution fails, and the error workflow tells it.',
		'Keep New Message: left out': 'It was delivered before, edited, or written by an app.',
	},
	'contract-backlog': {
		'Create Task for a Lawyer: stops': 'The execution fails, and the error workflow tells it.',
		'Keep Contracts: left out': 'No document, or one that is still being saved: nobody has asked.',
		'Keep Those Without a Task: left out': 'The duty has a task.',
	},
	'error-workflow': {
		'Create Task for a Lawyer: stops': 'The email has told it.',
		'Keep First Failure: left out':
			'An email has told the first one, and a later one says how often.',
		'Keep If None Is Open: left out': 'There is a task already.',
	},
	'gmail-drafts': {
		'Go On If Open: left out': 'Another execution has drafted the reply.',
		'Keep Contracts of Others: left out':
			'No contract, or one of a colleague: it stays in the inbox.',
		'Who Has It?: Another': 'Another execution is at this email, and drafts the reply.',
	},
	'hubspot-nda': {
		'Check Deal: none of them': 'The search was late: the deal is not requested any more.',
		'Create Task to Finish: stops': 'The execution fails, and the error workflow tells it.',
		'Keep Open Ones: left out': 'It is done, or about another deal.',
		'What Goes Out?: none of them':
			'A lawyer has settled it by hand, or it was requested again: the newer request has a task.',
	},
	'jira-contracts': {
		'Go On If Open: left out': 'Another execution is at this request, and comments.',
		'Keep What Is Not Done: left out': 'It has a task, and its files are reviewed.',
		'Keep What Is Not at Work: left out':
			'It is taken up two hours later, if it is not done by then.',
	},
	'nda-triage': {
		'What Was Decided?: none of them': 'The node before it gives one of the three.',
	},
	'outlook-mailbox': {
		'Create Task for the Start: stops': 'The execution fails, and the error workflow tells it.',
		'Does a Colleague Wait?: false': 'Nobody of the company has asked; a lawyer has the task.',
		'Go On If Open: left out': 'Another execution has replied.',
		'Who Has It?: Another': 'Another execution is at this email, and replies.',
		'Who Writes?: none of them': 'The node before it gives one of the five.',
	},
	'outlook-redline': {
		'Go On If Open: left out': 'Another execution has drafted the reply.',
		'Is There a Contract?: none of them': 'The node before it gives one of the three.',
		'Who Has It?: Another': 'Another execution is at this email, and drafts the reply.',
	},
	'renewal-reminders': {
		'Create Task for a Lawyer: stops': 'The execution fails, and the error workflow tells it.',
		'Keep Those Without a Task: left out': 'The date has a task.',
	},
	'sharepoint-teams': {
		'Keep Files: left out':
			'A folder, or a file that is still being edited: the next run looks again.',
		'Keep If Open: left out': 'Another execution has taken it, or is done with it.',
	},
	'signed-contracts': {
		'Who Has It?: Another': 'Another execution is at this email, and files the contract.',
	},
	'task-digest': {
		'Create Task with Digest: stops': 'The execution fails, and the error workflow tells it.',
		'Keep Late Ones: left out': 'It is not late, or was escalated before.',
		'Keep Open Tasks: left out': 'Somebody has completed it meanwhile.',
	},
	'teams-questions': {
		'Check Messages: none of them': 'It was answered a moment ago.',
		'Keep If Not Taken Again: left out': 'Another execution is at this chat, and answers.',
		'Keep Open Chats: left out': 'It is answered, or older than three days, as the note says.',
	},
};

const examples = await Promise.all(
	(await exampleNames()).map(async (file) => ({ file, workflow: await readExample(file) })),
);
const readText = (file: string) => readFileSync(join(projectFolder, 'examples', file), 'utf8');

const isStart = ({ type }: INode) => /trigger$|webhook$|emailReadImap$/i.test(type);

/** Whether a parameter holds what only an example has. */
const isInvented = (parameter: NodeParameterValueType) =>
	/example\.|contoso|legal\.atlassian|"[A-Z]+_[A-Z]+"/.test(JSON.stringify(parameter));

const waitsForAnswer = ({ type, parameters }: INode) =>
	type === `${LEGAL_AI}Trigger` || (type === LEGAL_AI && parameters.operation === 'askAndWait');

describe.each(examples)('examples/$file', ({ file, workflow }) => {
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY);
	const note = asText(
		workflow.nodes.find(({ name }) => name === 'About This Workflow')?.parameters.content,
		'Its note',
	);
	const steps = note.split('### Set up\n')[1] ?? 'No steps';

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

	test('names in its steps only nodes that it has, and each that needs a credential or holds an invented value', () => {
		const named = [...steps.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);
		const products = [...steps.matchAll(/\b(?!The )((?:[A-Z]\w+ )+)nodes/g)].map(
			([, product = '']) => product,
		);
		const isMeant = (node: INode) =>
			named.includes(node.name) ||
			products.some((product) => `${descriptionOf(node).displayName} `.includes(product));
		expect(named.filter((name) => !nodes.some((node) => node.name === name))).toEqual([]);
		expect(
			nodes
				.filter((node) => needsCredential(node) || isInvented(node.parameters))
				.filter((node) => !isMeant(node))
				.map(({ name }) => name),
		).toEqual([]);
	});

	test('asks nobody to change what makes the editor empty another field of the same node, unless that is chosen next', () => {
		const emptied = nodes.flatMap((node) =>
			descriptionOf(node)
				.properties.filter(
					({ name, typeOptions }) =>
						node.parameters[name] !== undefined &&
						!JSON.stringify(node.parameters[name]).includes('"mode":"list"') &&
						typeOptions?.loadOptionsDependsOn?.some((on) =>
							isInvented(node.parameters[on.replace('.value', '')] ?? ''),
						),
				)
				.map(({ name }) => `${node.name}: ${name}`),
		);
		expect([...new Set(emptied)]).toEqual([]);
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

	test('asks in sessions that everyone in the company can open, or in private ones that it never links to', () => {
		const asks = nodes.filter(({ parameters }) =>
			['ask', 'askAndWait'].some((operation) => parameters.operation === operation),
		);
		const visibilities = asks.map(
			({ parameters }) =>
				/"visibility":"(private|organization)"/.exec(JSON.stringify(parameters))?.[1],
		);
		const isPrivate = visibilities.includes('private');
		expect(new Set(visibilities).size).toBeLessThan(2);
		expect(visibilities).not.toContain(undefined);
		if (isPrivate) expect(JSON.stringify(nodes)).not.toContain('session_url');
	});

	test('ends nowhere in silence: each output leads to somebody, and so does each day on which the key is refused, but for those named here', () => {
		expect(silentEndsOf(workflow).sort()).toEqual(
			Object.keys(silentEnds[file.replace('.json', '')] ?? {}).sort(),
		);
	});

	test('gives each task a due date, and somebody whom its note asks for', () => {
		const creates = nodes.filter(
			({ parameters: { resource, operation } }) => resource === 'task' && operation === 'create',
		);
		for (const { parameters } of creates)
			expect(parameters.additionalFields).toMatchObject({
				assignedTo: expect.anything() as unknown,
				completeBy: expect.anything() as unknown,
			});
		expect(note.includes('*Assigned To*')).toBe(creates.length > 0);
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
		expect(description).toContain(`${steps}\n`);
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
function namesOf(targets: NodeInputConnections[number]) {
	return (targets ?? []).map(({ node }) => node);
}
