import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowDefinition } from '../../../harness/n8nClient.mts';
import { node } from '../../../harness/workflows.mts';
import { BEFORE, type Execution, NODE } from '../engine/execution.mts';
import { PASS_ON } from '../engine/nodeTypes.mts';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const CHECK = 'GET /assistants/:assistant_id/questions/:question_id';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = {
	resource: 'question',
	operation: 'askAndWait',
	question: '={{ $json.words }}',
};

/** What sends the words of each item. */
export const operations: Record<string, INodeParameters> = {
	Ask: { ...asking, operation: 'ask' },
	'Ask and Wait': asking,
	'Create Task': { resource: 'task', operation: 'create', title: '={{ $json.words }}' },
};

/** The settings of a node that outputs what fails beside what does not. */
export const continuing = { onError: 'continueRegularOutput' } as const;

/** Items with a question each. */
export function questions(count: number) {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}

/** The answers that came out, in their order. */
export const readAnswers = ({ json }: Execution) => json.map(({ answer }) => answer);

/** The answers to these questions, as `wait.complete` gives them. */
export const answersTo = (...texts: string[]) => texts.map((text) => `Answer to ${text}`);

type Row = Pick<WorkflowDefinition, 'nodes' | 'connections'>;

const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });

/** The row with another branch that comes later in its JSON: n8n's recovery then takes another node for the last one. */
export function withSideBranch<Workflow extends Row>(row: Workflow, type = PASS_ON) {
	const side = node('Side', type, {}, { position: [0, -100] });
	return {
		...row,
		nodes: [...row.nodes, side],
		connections: { ...row.connections, [BEFORE]: { main: [[to(side.name), to(NODE)]] } },
	};
}

/** The row with all that follows its node "Loop" in a loop, but for the last node, which gets what is done. */
export function inLoop<Workflow extends Row>(row: Workflow) {
	const [last = '', after = ''] = row.nodes.slice(-2).map(({ name }) => name);
	const connections = {
		...row.connections,
		Loop: { main: [[to(after)], [to(NODE)]] },
		[last]: { main: [[to('Loop')]] },
	};
	return { ...row, connections };
}

/** The row with its Legal AI node run twice, without a loop: first for the first item, then for all others. */
export function inTwoRuns<Workflow extends Row>(row: Workflow) {
	const first = node('First', 'test.first', {}, { position: [0, -100] });
	const others = node('Others', 'test.others', {}, { position: [0, 100] });
	const connections = {
		...row.connections,
		[BEFORE]: { main: [[to(first.name), to(others.name)]] },
		[first.name]: { main: [[to(NODE)]] },
		[others.name]: { main: [[to(NODE)]] },
	};
	return { ...row, nodes: [...row.nodes, first, others], connections };
}
