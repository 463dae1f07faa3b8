import type { SandboxOptions } from '../../sandbox/sandbox.mts';
import type { Environment } from '../../../harness/n8nProcess.mts';
import { testWithOwnN8n } from '../n8n/fixtures.mts';
import { type SmtpServer, startSmtpServer } from '../n8n/smtpServer.mts';
import { fastWakes } from '../n8n/wakeSettings.mts';
import { type Products, startProducts } from './products.mts';
import { Stage } from './stage.mts';

/** The parts that tests of the examples have besides. */
interface Parts {
	/** Stand-ins for the products that the examples work with. */
	products: Products;
	/** The mail server that the examples send through. */
	smtp: SmtpServer;
	/** The stage of all tests of the file, e.g. to publish an example before them. */
	startedStage: Stage;
	/** Publishes, starts and watches an example; nothing is left of the test before. */
	stage: Stage;
}

/** The `test` of files that run the examples, in an n8n of their own. */
export const test = testWithOwnN8n.extend<
	Parts & { n8nSettings: Environment; serviceOptions: SandboxOptions }
>({
	products: [
		async ({}, use) => {
			const products = await startProducts();
			await use(products);
			await products.close();
		},
		{ scope: 'file' },
	],
	smtp: [
		async ({}, use) => {
			const smtp = await startSmtpServer();
			await use(smtp);
			smtp.close();
		},
		{ scope: 'file' },
	],
	n8nSettings: [
		async ({ products }, use) => {
			await use({ ...products.environment, ...fastWakes });
		},
		{ scope: 'file' },
	],
	serviceOptions: [{ requestsPerMinute: Infinity }, { scope: 'file' }],
	startedStage: [
		async ({ n8n, startedService, products, smtp }, use) => {
			await use(new Stage({ n8n, service: startedService, products, smtp }));
		},
		{ scope: 'file' },
	],
	stage: async ({ startedStage }, use) => {
		await startedStage.clear();
		await use(startedStage);
	},
});
