import type { INode } from 'n8n-workflow';

import type { WorkflowDefinition } from '../../../harness/n8nClient.mts';
import { asList, asRecord, asText } from '../../../harness/unknownJson.mts';
import { LegalAiEmail } from '../../../nodes/LegalAiEmail/LegalAiEmail.node.ts';

/** The outputs of a node that chooses between them, in order; what it leaves out comes last. */
function outputsOf({ type, parameters }: INode) {
	switch (type.replace(/^.*\./, '')) {
		case 'if':
			return ['true', 'false'];
		case 'switch': {
			const rules = asList(asRecord(parameters.rules, 'Its rules').values, 'The list of rules');
			const { renameFallbackOutput } = asRecord(parameters.options, 'Its options');
			return [
				...rules.map((rule) => asText(asRecord(rule, 'A rule').outputKey, 'Its name')),
				typeof renameFallbackOutput === 'string' ? renameFallbackOutput : 'none of them',
			];
		}
		case 'legalAiEmail':
			return new LegalAiEmail().description.outputNames ?? [];
		case 'filter':
		case 'removeDuplicates':
			return ['kept', 'left out'];
		case 'dataTable':
			return ['rowExists', 'rowNotExists'].some((name) => parameters.operation === name)
				? ['kept', 'left out']
				: ['done'];
		default:
			return ['done'];
	}
}

/** Asks something or creates a task: what does not get through here is lost, unless the node goes on or n8n reports it. */
function isPromise({ type, parameters: { operation, resource } }: INode) {
	const asks = ['ask', 'askAndWait'].some((name) => operation === name);
	return type.endsWith('.legalAi') && (asks || (resource === 'task' && operation === 'create'));
}

/** Where an item ends without anybody hearing of it: outputs that lead nowhere, and promises that stop the execution. */
export function silentEndsOf({ nodes, connections }: WorkflowDefinition): string[] {
	return nodes.flatMap((node) => {
		const outputs = outputsOf(node);
		const hasErrorOutput = node.onError === 'continueErrorOutput';
		const named = [...outputs, ...(hasErrorOutput ? ['error'] : [])];
		const isOpen = (output: number) => (connections[node.name]?.main?.[output] ?? []).length === 0;
		const open = named.filter((name, output) => name !== 'done' && isOpen(output));
		if (isPromise(node) && node.onError === undefined) open.push('stops');
		return open.map((name) => `${node.name}: ${name}`);
	});
}
