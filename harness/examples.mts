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

/** Which credentials n8n's own nodes in the examples want; the nodes of this package want {@link credentialType}. */
const credentialTypes: Readonly<Record<string, readonly string[]>> = {
	'@n8n/n8n-nodes-langchain.chatTrigger': ['httpBasicAuth'],
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': ['openAiApi'],
	'n8n-nodes-base.emailReadImap': ['imap'],
	'n8n-nodes-base.emailSend': ['smtp'],
	'n8n-nodes-base.emailSendHitlTool': ['smtp'],
	'n8n-nodes-base.emailSendTool': ['smtp'],
	'n8n-nodes-base.formTrigger': ['httpBasicAuth'],
	'n8n-nodes-base.gmail': ['gmailOAuth2'],
	'n8n-nodes-base.googleDrive': ['googleDriveOAuth2Api'],
	'n8n-nodes-base.googleDriveTrigger': ['googleDriveOAuth2Api'],
	'n8n-nodes-base.googleSheets': ['googleSheetsOAuth2Api'],
	'n8n-nodes-base.hubspot': ['hubspotAppToken'],
	'n8n-nodes-base.jira': ['jiraSoftwareCloudApi'],
	'n8n-nodes-base.jiraTrigger': ['jiraSoftwareCloudApi', 'httpQueryAuth'],
	'n8n-nodes-base.microsoftOneDrive': ['microsoftOneDriveOAuth2Api'],
	'n8n-nodes-base.microsoftOutlook': ['microsoftOutlookOAuth2Api'],
	'n8n-nodes-base.microsoftOutlookTrigger': ['microsoftOutlookOAuth2Api'],
	'n8n-nodes-base.microsoftSharePoint': ['microsoftOAuth2Api'],
	'n8n-nodes-base.microsoftTeams': ['microsoftOAuth2Api', 'microsoftTeamsOAuth2Api'],
	'n8n-nodes-base.slack': ['slackApi'],
	'n8n-nodes-base.slackTrigger': ['slackApi'],
};

/** Reads an example, and gives its nodes their credentials, as a user does after an import. */
export async function readExample(name: string, ...credentials: readonly StoredCredential[]): Promise<WorkflowDefinition> {
	const parsed: unknown = JSON.parse(await readFile(join(examplesFolder, name), 'utf8'));
	const example = asRecord(parsed, name);
	asText(example.name, `The name in ${name}`);
	asList(example.nodes, `The nodes of ${name}`);
	const workflow = example as unknown as WorkflowDefinition;
	return { ...workflow, nodes: workflow.nodes.map((node) => withCredentials(node, credentials)) };
}

/** The example with texts replaced, e.g. an address. Each text must be in it. */
export function withTexts(example: WorkflowDefinition, texts: Readonly<Record<string, string>>): WorkflowDefinition {
	let nodes = JSON.stringify(example.nodes);
	for (const [text, other] of Object.entries(texts)) {
		if (!nodes.includes(text)) throw new Error(`"${example.name}" has no "${text}"`);
		nodes = nodes.replaceAll(text, other);
	}
	return { ...example, nodes: JSON.parse(nodes) as INode[] };
}

/** Stores an example, or updates the one with the same name. */
export async function importExample(
	n8n: N8nClient,
	name: string,
	...credentials: readonly StoredCredential[]
): Promise<StoredWorkflow> {
	const example = await readExample(name, ...credentials);
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
		Subject: 'NDA with Meridian Analytics',
		Message: 'Which of these terms are unusual for a mutual NDA, and may we sign it as it stands?',
		Attachments: contracts,
	};
}

function withCredentials(node: INode, credentials: readonly StoredCredential[]): INode {
	const { nodeCredentialType } = node.parameters;
	const ofRequest = typeof nodeCredentialType === 'string' ? [nodeCredentialType] : [];
	const wanted = node.type.startsWith('n8n-nodes-legal-ai.') ? [credentialType] : (credentialTypes[node.type] ?? ofRequest);
	const found = credentials.filter(({ type }) => wanted.includes(type));
	if (found.length === 0) return node;
	return { ...node, credentials: Object.fromEntries(found.map(({ type, id, name }) => [type, { id, name }])) };
}
