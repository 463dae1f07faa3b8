// Lets Node read the sources of the nodes, which name one another as CommonJS does: without an extension.
import { registerHooks } from 'node:module';

registerHooks({
	resolve: (name, context, resolve) => {
		if (!/\/nodes\//.test(context.parentURL + name)) return resolve(name, context);
		const found = resolve(/^\..*\/\w+$/.test(name) ? `${name}.ts` : name, context);
		return { ...found, format: found.url.endsWith('.ts') ? 'module-typescript' : found.format };
	},
});
