import type { IExecuteFunctions, INode, INodeType } from 'n8n-workflow';

/** What n8n shows a node instead of what it has, by name. */
type Changes = (context: IExecuteFunctions) => Record<string, unknown>;

/** A node in an n8n that shows it something else than today's n8n, or hides it. */
export function seenAs(nodeType: INodeType, { execute }: { execute: Changes }): INodeType {
	return Object.assign(Object.create(nodeType) as INodeType, {
		execute(this: IExecuteFunctions) {
			return nodeType.execute?.call(changed(this, execute(this)));
		},
	});
}

/** What a tool sees that another node runs itself: the entry of that node. */
export function asTool(name: string, more: Partial<INode> = {}): Changes {
	return (context) => {
		const entry = context.getExecuteData();
		return { getExecuteData: () => ({ ...entry, node: { ...entry.node, name, ...more } }) };
	};
}

function changed(context: IExecuteFunctions, shown: Record<string, unknown>) {
	return new Proxy(context, {
		get: (target, name) => {
			if (typeof name === 'string' && Object.hasOwn(shown, name)) return shown[name];
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
}
