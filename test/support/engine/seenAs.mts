import type { IExecuteFunctions, INode, INodeType, IWebhookFunctions } from 'n8n-workflow';

/** What n8n shows a node instead of what it has, by name. */
type Changes<Context> = (context: Context) => Record<string, unknown>;

/**
 * A node in an n8n that shows it something else than today's n8n, or hides it.
 *
 * @param changes to what `execute()` and `webhook()` see
 */
export function seenAs(
	nodeType: INodeType,
	changes: {
		execute?: Changes<IExecuteFunctions>;
		webhook?: Changes<IWebhookFunctions>;
	},
): INodeType {
	const made = Object.create(nodeType) as INodeType;
	return Object.assign(made, {
		async execute(this: IExecuteFunctions) {
			return (await nodeType.execute?.call(changed(this, changes.execute))) ?? null;
		},
		async webhook(this: IWebhookFunctions) {
			return (await nodeType.webhook?.call(changed(this, changes.webhook))) ?? {};
		},
	} satisfies Pick<INodeType, 'execute' | 'webhook'>);
}

/** What a tool sees that another node runs itself: the entry of that node. */
export function asToolOf(name: string, more: Partial<INode> = {}): Changes<IExecuteFunctions> {
	return (context) => {
		const entry = context.getExecuteData();
		return { getExecuteData: () => ({ ...entry, node: { ...entry.node, name, ...more } }) };
	};
}

function changed<Context extends object>(context: Context, changes: Changes<Context> = () => ({})) {
	const shown = changes(context);
	return new Proxy(context, {
		get: (target, name) => {
			if (typeof name === 'string' && Object.hasOwn(shown, name)) return shown[name];
			const value: unknown = Reflect.get(target, name);
			return typeof value === 'function' ? (value.bind(target) as unknown) : value;
		},
	});
}
