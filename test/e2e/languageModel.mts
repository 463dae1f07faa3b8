import { randomUUID } from 'node:crypto';

import { fastify } from 'fastify';

import { asList, asRecord, asText, isRecord, type JsonRecord, optionalText } from '../../harness/unknownJson.mts';

/** A tool as the model is told of it. */
export interface OfferedTool {
	readonly name: string;
	readonly description: string;
	/** The JSON schema of its arguments. */
	readonly parameters: JsonRecord;
}

/** What the model is asked: the conversation so far, and the tools it may call. */
export interface ModelRequest {
	readonly tools: readonly OfferedTool[];
	/** What the tools that the model has called so far returned, in order. */
	readonly toolResults: readonly string[];
}

/** A tool that the model wants called. */
export interface ToolCall {
	readonly tool: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model says: words, or tools that it wants called, in parallel if there are several. */
export type ModelReply = string | ToolCall | readonly ToolCall[];

/** A language model whose replies a test has written. */
export interface LanguageModel {
	/** What OpenAI's clients take for the address of the service. */
	readonly baseUrl: string;
	/** Every request, in order. */
	readonly requests: readonly ModelRequest[];
	/** What it replies to a request; to be set before it is asked. */
	reply: (request: ModelRequest) => ModelReply;
	/** Forgets the requests and the replies. */
	reset(): void;
	close(): Promise<void>;
}

const speechless = (): ModelReply => 'I have nothing to say.';

/** Starts a service that speaks OpenAI's Chat Completions, as far as an n8n agent listens. */
export async function startLanguageModel(): Promise<LanguageModel> {
	const requests: ModelRequest[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post('/v1/chat/completions', (http) => {
		const body = asRecord(http.body, 'A request to the model');
		const request = { tools: readTools(body.tools), toolResults: readToolResults(body.messages) };
		requests.push(request);
		return completion(model.reply(request));
	});
	const model: LanguageModel = {
		baseUrl: `${await app.listen({ port: 0, host: '127.0.0.1' })}/v1`,
		requests,
		reply: speechless,
		reset: () => {
			requests.length = 0;
			model.reply = speechless;
		},
		close: () => app.close(),
	};
	return model;
}

function completion(reply: ModelReply): JsonRecord {
	const message =
		typeof reply === 'string'
			? { role: 'assistant', content: reply }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [reply].flat().map((call) => ({
						id: `call_${randomUUID()}`,
						type: 'function',
						function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
					})),
				};
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: typeof reply === 'string' ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function readTools(value: unknown): OfferedTool[] {
	return (Array.isArray(value) ? value : []).map((entry) => {
		const tool = asRecord(asRecord(entry, 'A tool').function, 'The function of a tool');
		return {
			name: asText(tool.name, 'The name of a tool'),
			description: asText(tool.description, 'The description of a tool'),
			parameters: asRecord(tool.parameters, 'The schema of a tool'),
		};
	});
}

function readToolResults(messages: unknown): string[] {
	return asList(messages, 'The messages').flatMap((message) =>
		isRecord(message) && message.role === 'tool' ? (optionalText(message.content) ?? JSON.stringify(message.content)) : [],
	);
}
