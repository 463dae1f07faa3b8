import type { INode } from 'n8n-workflow';

import type { N8nClient } from '../../../harness/n8nClient.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import type { LanguageModel } from './languageModel.mts';

/** One of n8n's own Agents, which are no workflows: they run a node as a tool outside any execution. */
export class N8nAgent {
	readonly #n8n: N8nClient;
	readonly #path: string;

	private constructor(n8n: N8nClient, path: string) {
		this.#n8n = n8n;
		this.#path = path;
	}

	/** Makes an agent in the owner's own project, with these nodes as its tools. */
	static async create(n8n: N8nClient, { baseUrl }: LanguageModel, name: string, nodes: INode[]) {
		const model = await n8n.createCredential('openAiApi', `Model of ${name}`, {
			apiKey: 'none',
			url: baseUrl,
		});
		const tools = nodes.map(({ name, type, typeVersion, parameters, credentials }) => ({
			type: 'node',
			name,
			node: {
				nodeType: type,
				nodeTypeVersion: typeVersion,
				nodeParameters: parameters,
				credentials,
			},
		}));
		const schema = {
			name,
			model: 'openai/scripted',
			credential: model.id,
			instructions: 'Ask counsel.',
			tools,
		};
		const project = asRecord(await n8n.session.get('/projects/personal'), 'The own project');
		const agents = `/projects/${asText(project.id, 'Its id')}/agents/v2`;
		const agent = asRecord(await n8n.session.post(agents, { name, schema }), 'The agent');
		return new N8nAgent(n8n, `${agents}/${asText(agent.id, 'Its id')}`);
	}

	/** Begins a chat, and gives what the agent says in it. */
	async chat(message: string) {
		const { baseUrl, cookie } = this.#n8n.session;
		const answer = await fetch(`${baseUrl}/rest${this.#path}/chat`, {
			method: 'POST',
			headers: { cookie, 'content-type': 'application/json' },
			body: JSON.stringify({ message }),
		});
		const events = [...(await answer.text()).matchAll(/^data: (.*)$/gm)];
		return events.map(([, data = '']) => spoken(asRecord(JSON.parse(data), 'An event'))).join('');
	}
}

/** The words in an event of a chat. */
function spoken({ type, delta, message }: JsonRecord) {
	if (type === 'error') throw new Error(asText(message, 'What went wrong in the chat'));
	return type === 'text-delta' ? asText(delta, 'What is said') : '';
}
