import { randomUUID } from 'node:crypto';

import { fastify } from 'fastify';

/** A tool as the model is told of it; `parameters` is the JSON schema of its arguments. */
interface OfferedTool {
	readonly name: string;
	readonly description: string;
	readonly parameters: Readonly<Record<string, unknown>>;
}

/** What the model is asked: the tools that it may call, and what those returned that it has called so far, in order. */
interface ModelRequest {
	readonly tools: readonly OfferedTool[];
	readonly toolResults: readonly string[];
}

/** A tool that the model wants called. */
interface ToolCall {
	readonly tool: string;
	readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model says: words, or tools that it wants called, in parallel if there are several. */
type ModelReply = string | ToolCall | readonly ToolCall[];

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

/** A request of OpenAI's Chat Completions, as far as an n8n agent writes it. */
interface Chat {
	readonly tools?: readonly { readonly function: OfferedTool }[];
	readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const speechless = (): ModelReply => 'I have nothing to say.';

/** Starts a service that speaks OpenAI's Chat Completions, as far as an n8n agent listens. */
export async function startLanguageModel(): Promise<LanguageModel> {
	const requests: ModelRequest[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post<{ Body: Chat }>('/v1/chat/completions', ({ body: { tools = [], messages } }) => {
		const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
		const request = {
			tools: tools.map((tool) => tool.function),
			toolResults: results.map((result) => (typeof result === 'string' ? result : JSON.stringify(result))),
		};
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

function completion(reply: ModelReply): object {
	const isText = typeof reply === 'string';
	const calls = isText ? [] : [reply].flat();
	const tool_calls = calls.map((call) => ({
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
	}));
	const message = { role: 'assistant', ...(isText ? { content: reply } : { content: null, tool_calls }) };
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: isText ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
