// Lets Node read the sources of the nodes as n8n loads them: they name one another, and n8n's own package, as CommonJS does.
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const n8nWorkflow = createRequire(import.meta.url).resolve('n8n-workflow');

registerHooks({
	resolve: (name, context, resolve) => {
		if (name === 'n8n-workflow') return resolve(pathToFileURL(n8nWorkflow).href, context);
		const isSource = /\/nodes\/.*\/\w+(\.ts)?$/.test(new URL(name, context.parentURL).href);
		if (!isSource) return resolve(name, context);
		const found = resolve(name.replace(/(\.ts)?$/, '.ts'), context);
		return { ...found, format: 'module-typescript' };
	},
});
