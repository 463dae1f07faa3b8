import './environment.mts';
import { createRequire } from 'node:module';

import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import { LoggerProxy, type IBinaryData, type INodeExecutionData, type Logger } from 'n8n-workflow';

/** One line that n8n would write to its log. */
interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata: unknown;
}

/** Where n8n keeps binary data: on the item itself, or in files below a temporary folder. */
type BinaryDataMode = 'default' | 'filesystem';

interface Services {
	get<Service>(type: abstract new (...parts: never[]) => Service): Service;
	set(type: unknown, instance: unknown): void;
}

// n8n-core has its own copies of n8n's internal packages, so its services are in its own container.
const requireAsCore = createRequire(createRequire(import.meta.url).resolve('n8n-core'));
const { Container } = requireAsCore('@n8n/di') as { Container: Services };
const { Logger: LoggerService } = requireAsCore('@n8n/backend-common') as { Logger: unknown };

/** Everything that n8n and the nodes have logged in this process, debug lines included. */
export const logs: LogLine[] = [];

const record =
	(level: LogLine['level']) =>
	(message: string, metadata: object = {}) => {
		const entries = Object.entries(metadata).map(([name, value]: [string, unknown]) => [
			name,
			logged(value),
		]);
		logs.push({ level, message, metadata: Object.fromEntries(entries) });
	};

/** What n8n's own logger keeps of an error. */
function logged(value: unknown): unknown {
	if (!(value instanceof Error)) return value;
	const { name, message, stack, cause } = value;
	return { name, message, stack, cause: cause === undefined ? undefined : logged(cause) };
}

const logger: Logger & { scoped: () => Logger } = {
	error: record('error'),
	warn: record('warn'),
	info: record('info'),
	debug: record('debug'),
	scoped: () => logger,
};

LoggerProxy.init(logger);
Container.set(LoggerService, logger);

/** Where n8n-core keeps its services. */
export function service<Service>(type: abstract new (...parts: never[]) => Service) {
	return Container.get(type);
}

/** Sets where binary data is kept from now on. Default: on the item itself. */
export async function useBinaryData(mode: BinaryDataMode) {
	service(BinaryDataConfig).mode = mode;
	await service(BinaryDataService).init();
}

await useBinaryData('default');

/** An item with a file, stored as n8n stores it in the chosen mode. */
export async function binaryItem(
	content: Buffer | string,
	file: Partial<IBinaryData> = {},
): Promise<INodeExecutionData> {
	return { json: {}, binary: { data: await storeBinary(content, file) } };
}

/** A file as n8n stores it in the chosen mode. */
export async function storeBinary(content: Buffer | string, file: Partial<IBinaryData> = {}) {
	const given = { mimeType: 'application/pdf', fileName: 'contract.pdf', data: '', ...file };
	return await service(BinaryDataService).store(
		{ type: 'execution', workflowId: 'files', executionId: 'stored' },
		typeof content === 'string' ? Buffer.from(content) : content,
		given,
	);
}

/** The content of a file of an item. */
export async function readBinary(item: INodeExecutionData | undefined, fieldName = 'data') {
	const binary = item?.binary?.[fieldName];
	if (binary === undefined) throw new Error(`The item has no file in '${fieldName}'`);
	return await service(BinaryDataService).getAsBuffer(binary);
}
