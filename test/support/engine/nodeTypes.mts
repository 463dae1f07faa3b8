import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';

/** A node that hands on its input, for the beginning and the end of a workflow. */
export class PassOn implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Pass On',
		name: 'passOn',
		group: ['transform'],
		version: 1,
		description: 'Hands on its input',
		defaults: { name: 'Pass On' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return Promise.resolve([this.getInputData()]);
	}
}

/** The type name of {@link PassOn}. */
export const PASS_ON = 'test.passOn';

/** Node types by their full names; those of AI tools end in `Tool`, as n8n makes them out of usual nodes. */
export function nodeTypesOf(known: Readonly<Record<string, INodeType>>): INodeTypes {
	const all: Record<string, INodeType> = { [PASS_ON]: new PassOn(), ...known };
	const find = (name: string): INodeType => {
		const found = all[name] ?? all[name.replace(/Tool$/, '')];
		if (found === undefined) throw new Error(`No node type ${name} is known here`);
		return found;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

/** The same node types in an n8n that has no `isToolExecution()`. */
export function withoutToolTelling(known: Readonly<Record<string, INodeType>>): Record<string, INodeType> {
	return Object.fromEntries(Object.entries(known).map(([name, nodeType]) => [name, untold(nodeType)]));
}

function untold(nodeType: INodeType): INodeType {
	const older: Pick<INodeType, 'execute'> = {
		async execute(this) {
			Object.defineProperty(this, 'isToolExecution', { value: undefined });
			return (await nodeType.execute?.call(this)) ?? null;
		},
	};
	const made = Object.create(nodeType) as INodeType;
	return nodeType.execute === undefined ? made : Object.assign(made, older);
}
