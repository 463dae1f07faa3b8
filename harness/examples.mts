import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { FormAnswers, FormFile } from './form.mts';
import { projectFolder } from './installedPackage.mts';
import type { N8nClient, StoredCredential, WorkflowDefinition } from './n8nClient.mts';
import { asList, asRecord, asText } from './unknownJson.mts';

/** The type of this package's credential. */
export const credentialType = 'legalAiApi';

const examplesFolder = join(projectFolder, 'examples');

/** The file names of the example workflows. */
export async function exampleNames() {
	return (await readdir(examplesFolder)).filter((name) => name.endsWith('.json')).sort();
}

/** Reads an example, as {@link readWorkflow} does. */
export async function readExample(name: string, ...credentials: readonly StoredCredential[]) {
	return await readWorkflow(join(examplesFolder, name), ...credentials);
}

/** Reads a workflow. If there are credentials, each node gets them, as a user gives them after an import, and uses those of the types that it knows. */
export async function readWorkflow(file: string, ...credentials: readonly StoredCredential[]) {
	const parsed = asRecord(JSON.parse(await readFile(file, 'utf8')), file);
	asText(parsed.name, `The name in ${file}`);
	asList(parsed.nodes, `The nodes of ${file}`);
	const workflow = parsed as unknown as WorkflowDefinition;
	if (credentials.length === 0) return workflow;
	const byType = Object.fromEntries(credentials.map(({ type, id, name }) => [type, { id, name }]));
	return { ...workflow, nodes: workflow.nodes.map((node) => ({ ...node, credentials: byType })) };
}

/** Stores an example, or updates the one with the same name. */
export async function importExample(
	n8n: N8nClient,
	name: string,
	...credentials: readonly StoredCredential[]
) {
	const example = await readExample(name, ...credentials);
	const stored = (await n8n.workflows()).find((workflow) => workflow.name === example.name);
	return await (stored === undefined
		? n8n.createWorkflow(example)
		: n8n.updateWorkflow(stored, example));
}

/** One of the bundled contracts, as a browser would send it. */
export async function bundledContract(fileName: 'mutual-nda.pdf' | 'services-agreement.docx') {
	const contentType = fileName.endsWith('.pdf')
		? 'application/pdf'
		: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
	return {
		fileName,
		contentType,
		content: await readFile(join(examplesFolder, 'contracts', fileName)),
	};
}

/** What someone would send in with a contract: the answers to the form of the intake example. */
export function intakeAnswers(...contracts: readonly FormFile[]): FormAnswers {
	return {
		'Your Email': 'sales@example.com',
		Subject: 'NDA with Meridian Analytics',
		Message: 'Which of these terms are unusual for a mutual NDA, and may we sign it as it stands?',
		Attachments: contracts,
	};
}
