import { NodeHelpers, type INode } from 'n8n-workflow';

import { isRecord } from '../../../harness/unknownJson.mts';
import { descriptionOf } from './nodeDescriptions.mts';

/** Parameters whose content the node reads by itself, and n8n does not look into. */
const OPAQUE = ['resourceLocator', 'resourceMapper', 'filter', 'assignmentCollection', 'json'];

/** The paths of what is given and not among what the node shows with these values. */
function unknownParameters(given: unknown, shown: unknown, path: string): string[] {
	if (Array.isArray(given)) {
		const list = Array.isArray(shown) ? shown : [];
		return given.flatMap((value, index) =>
			unknownParameters(value, list[index], `${path}[${index}]`),
		);
	}
	if (!isRecord(given) || given.__rl === true) return [];
	const known = isRecord(shown) ? shown : {};
	return Object.entries(given).flatMap(([name, value]) =>
		name in known ? unknownParameters(value, known[name], `${path}.${name}`) : [`${path}.${name}`],
	);
}

/** What n8n would not take of a node: parameters that its type does not have or show, and what the editor marks in red. */
export function problemsOf(node: INode): string[] {
	const description = descriptionOf(node);
	const { properties } = description;
	const shown = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	const opaque = properties.filter(({ type }) => OPAQUE.includes(type)).map(({ name }) => name);
	const looked = Object.entries(node.parameters).filter(
		([name]) => !(opaque.includes(name) && shown !== null && name in shown),
	);
	const issues = NodeHelpers.getNodeParametersIssues(
		properties,
		{ ...node, disabled: false },
		description,
	);
	return [
		...unknownParameters(Object.fromEntries(looked), shown, node.name),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}

/** The types of the credentials that the editor asks for with the node's parameters. */
export function credentialsOf(node: INode) {
	const description = descriptionOf(node);
	const { properties, credentials = [] } = description;
	const shown =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ??
		{};
	const { nodeCredentialType } = node.parameters;
	return [
		...(typeof nodeCredentialType === 'string' ? [nodeCredentialType] : []),
		...credentials
			.filter((credential) => NodeHelpers.displayParameter(shown, credential, node, description))
			.map(({ name }) => name),
	];
}
