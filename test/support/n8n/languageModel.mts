import { randomUUID } from 'node:crypto';

import { fastify } from 'fastify';

/** A tool as the model is told of it; `parameters` is the JSON schema of its arguments. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: Record<string, unknown>;
}

/** What the model is asked: the tools that it may call, and what those returned that it has called so far, in order. */
interface ModelRequest {
	tools: OfferedTool[];
	toolResults: string[];
}

/** A tool that the model wants called. */
export interface ToolCall {
	tool: string;
	arguments: Record<string, unknown>;
}

/** What the model says: words, or tools that it wants called, in parallel if there are several. */
type ModelReply = string | ToolCall | ToolCall[];

/** A language model whose replies a test has written. */
export type LanguageModel = Awaited<ReturnType<typeof startLanguageModel>>;

/** A request of OpenAI's Chat Completions, as far as an n8n agent writes it. */
interface Chat {
	stream?: boolean;
	tools?: readonly { function: OfferedTool }[];
	messages: readonly { role: string; content: unknown }[];
}

const speechless: (request: ModelRequest) => ModelReply = () => 'I have nothing to say.';

/** Starts a service that speaks OpenAI's Chat Completions, as far as an n8n agent listens. */
export async function startLanguageModel() {
	const requests: ModelRequest[] = [];
	const app = fastify({ forceCloseConnections: true });
	app.post<{ Body: Chat }>(
		'/v1/chat/completions',
		({ body: { tools = [], messages, stream } }, answer) => {
			const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
			const request = {
				tools: tools.map((tool) => tool.function),
				toolResults: results.map((result) =>
					typeof result === 'string' ? result : JSON.stringify(result),
				),
			};
			requests.push(request);
			const reply = model.reply(request);
			return stream === true
				? answer.type('text/event-stream').send(streamed(reply))
				: completion(reply);
		},
	);
	const model = {
		/** What OpenAI's clients take for the address of the service. */
		baseUrl: `${await app.listen({ port: 0, host: '127.0.0.1' })}/v1`,
		/** Every request, in order. */
		requests,
		/** What it replies to a request; to be set before it is asked. */
		reply: speechless,
		/** Forgets the requests and the replies. */
		reset: () => {
			requests.length = 0;
			model.reply = speechless;
		},
		close: () => app.close(),
	};
	return model;
}

function completion(reply: ModelReply) {
	return {
		...header,
		object: 'chat.completion',
		choices: [{ index: 0, message: toMessage(reply), finish_reason: reasonFor(reply) }],
		usage,
	};
}

/** The same as server-sent events: one with all of it, one that ends it. */
function streamed(reply: ModelReply) {
	const events = [
		{ choices: [{ index: 0, delta: toMessage(reply) }] },
		{ choices: [{ index: 0, delta: {}, finish_reason: reasonFor(reply) }], usage },
	].map((event) => JSON.stringify({ ...header, object: 'chat.completion.chunk', ...event }));
	return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

const header = { id: 'chatcmpl-scripted', created: 0, model: 'scripted' };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function reasonFor(reply: ModelReply) {
	return typeof reply === 'string' ? 'stop' : 'tool_calls';
}

function toMessage(reply: ModelReply) {
	if (typeof reply === 'string') return { role: 'assistant', content: reply };
	const tool_calls = [reply].flat().map((call, index) => ({
		index,
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
	}));
	return { role: 'assistant', content: null, tool_calls };
}
