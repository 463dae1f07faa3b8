import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import type { FormAnswers, FormFile } from './form.mts';
import { projectFolder } from './installedPackage.mts';
import type { N8nClient, StoredCredential, StoredWorkflow, WorkflowDefinition } from './n8nClient.mts';
import { asList, asRecord, asText } from './unknownJson.mts';

/** The type of this package's credential. */
export const credentialType = 'legalAiApi';

const examplesFolder = join(projectFolder, 'examples');

/** The file names of the example workflows. */
export async function exampleNames(): Promise<string[]> {
	return (await readdir(examplesFolder)).filter((name) => name.endsWith('.json')).sort();
}

/** Reads an example, and gives this package's nodes in it a credential as a user does after an import. */
export async function readExample(name: string, credential: StoredCredential): Promise<WorkflowDefinition> {
	const parsed: unknown = JSON.parse(await readFile(join(examplesFolder, name), 'utf8'));
	const example = asRecord(parsed, name);
	asText(example.name, `The name in ${name}`);
	asList(example.nodes, `The nodes of ${name}`);
	const workflow = example as unknown as WorkflowDefinition;
	return { ...workflow, nodes: workflow.nodes.map((node) => withCredential(node, credential)) };
}

/** Stores an example, or brings the one stored before under its name up to date. */
export async function importExample(
	n8n: N8nClient,
	name: string,
	credential: StoredCredential,
): Promise<StoredWorkflow> {
	const example = await readExample(name, credential);
	const id = (await n8n.workflowIds()).get(example.name);
	if (id === undefined) return await n8n.createWorkflow(example);
	return await n8n.updateWorkflow(await n8n.workflow(id), example);
}

/** One of the bundled contracts, as a browser would send it. */
export async function bundledContract(fileName: 'mutual-nda.pdf' | 'services-agreement.docx'): Promise<FormFile> {
	const contentType = fileName.endsWith('.pdf')
		? 'application/pdf'
		: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
	return { fileName, contentType, content: await readFile(join(examplesFolder, 'contracts', fileName)) };
}

/** What someone would send in with a contract: the answers to the form of the intake example. */
export function intakeAnswers(...contracts: readonly FormFile[]): FormAnswers {
	return {
		'Your e-mail': 'sales@hawthorn.example',
		Subject: 'NDA with Meridian Analytics',
		Message: 'Which of these terms are unusual for a mutual NDA, and may we sign it as it stands?',
		Attachments: contracts,
	};
}

function withCredential(node: INode, credential: StoredCredential): INode {
	if (!node.type.startsWith('n8n-nodes-legal-ai.')) return node;
	return { ...node, credentials: { [credentialType]: { id: credential.id, name: credential.name } } };
}
