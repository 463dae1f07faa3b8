import type { INode } from 'n8n-workflow';

import type { N8nClient } from '../../../harness/n8nClient.mts';
import { asRecord, asText, type JsonRecord } from '../../../harness/unknownJson.mts';
import { modelCredential } from './agents.mts';
import type { LanguageModel } from './languageModel.mts';

/**
 * Makes one of n8n's own Agents, which are no workflows (they run a node as a tool outside any execution), in the owner's own
 * project, with these nodes as its tools. Gives what begins a chat with it, and returns what it says in that.
 */
export async function createN8nAgent(n8n: N8nClient, model: LanguageModel, nodes: INode[]) {
	const { session } = n8n;
	const { id: credential } = await modelCredential(n8n, model);
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
	const name = 'Counsel';
	const schema = {
		name,
		model: 'openai/scripted',
		credential,
		instructions: 'Ask counsel.',
		tools,
	};
	const project = asRecord(await session.get('/projects/personal'), 'The own project');
	const agents = `/projects/${asText(project.id, 'Its id')}/agents/v2`;
	const agent = asRecord(await session.post(agents, { name, schema }), 'The agent');
	const chats = `${session.baseUrl}/rest${agents}/${asText(agent.id, 'Its id')}/chat`;
	return async (message: string) => {
		const answer = await fetch(chats, {
			method: 'POST',
			headers: { cookie: session.cookie, 'content-type': 'application/json' },
			body: JSON.stringify({ message }),
		});
		const events = [...(await answer.text()).matchAll(/^data: (.*)$/gm)];
		return events.map(([, data = '']) => spoken(asRecord(JSON.parse(data), 'An event'))).join('');
	};
}

/** The words in an event of a chat. */
function spoken({ type, delta, message }: JsonRecord) {
	if (type === 'error') throw new Error(asText(message, 'What went wrong in the chat'));
	return type === 'text-delta' ? asText(delta, 'What is said') : '';
}
