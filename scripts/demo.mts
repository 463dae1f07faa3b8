import { once } from 'node:events';

import { credentialType, intakeAnswers } from '../harness/examples.mts';
import { type Execution, readItems } from '../harness/executions.mts';
import { type FormFile, formLogin, lastPage, submitForm } from '../harness/form.mts';
import type { N8nClient, StoredWorkflow } from '../harness/n8nClient.mts';
import { optionalText } from '../harness/unknownJson.mts';
import type { Sandbox } from '../test/sandbox/sandbox.mts';

const patience = { timeout: 120_000 };

export const n8nPort = Number(process.env.N8N_PORT ?? 5678);
export const sandboxPort = Number(process.env.LEGAL_AI_SANDBOX_PORT ?? 8787);
/** How long the sandbox takes for an answer, in ms. */
export const answerTime = [2000, 4000] as const;

/** Resolves with the first signal that asks for the end. */
export async function stopSignal() {
	await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));
}

/** A credential of the demo: made on the first start, brought up to date on every other. */
async function keepCredential(
	n8n: N8nClient,
	type: string,
	name: string,
	data: Readonly<Record<string, string>>,
) {
	const existing = (await n8n.credentials()).find(
		(each) => each.type === type && each.name === name,
	);
	if (existing === undefined) return await n8n.createCredential(type, name, data);
	await n8n.updateCredential(existing, data);
	return existing;
}

/** The credential that lets n8n speak with the sandbox. */
export async function demoCredential(n8n: N8nClient, { apiKey, baseUrl, webhookSecret }: Sandbox) {
	const data = { baseUrl, apiKey, webhookSecret };
	return await keepCredential(n8n, credentialType, 'Legal AI sandbox', data);
}

/** The credential that opens the forms of the examples. */
export async function formCredential(n8n: N8nClient) {
	return await keepCredential(n8n, 'httpBasicAuth', 'Forms of the examples', formLogin);
}

/** Sends a contract in through the form of the intake workflow, and waits for what comes out. */
export async function sendContractIn(n8n: N8nClient, intake: StoredWorkflow, contract: FormFile) {
	await n8n.activate(intake);
	const known = await n8n.executions(intake.id);
	const { body, status } = await submitForm(n8n.baseUrl, intake, intakeAnswers(contract));
	if (status !== 200) throw new Error(`n8n did not accept the form: ${status} ${body}`);
	await lastPage(body, patience);
	const execution = await n8n.waitForNextExecution(intake.id, known, undefined, patience);
	return report(n8n, execution, contract);
}

function report(n8n: N8nClient, execution: Execution, contract: FormFile) {
	const address = `${n8n.baseUrl}/workflow/${execution.workflowId}/executions/${execution.id}`;
	const question = readItems(execution, 'Review Contract').at(0)?.json;
	if (question === undefined) {
		const reason =
			execution.failure?.message ?? `the execution ended with status ${execution.status}`;
		return { isCompleted: false, report: `There is no answer: ${reason}\nExecution: ${address}` };
	}
	const lines = [
		`Contract:  ${contract.fileName}`,
		`Status:    ${optionalText(question.status) ?? 'none'}`,
		`Session:   ${optionalText(question.session_url) ?? 'none'}`,
		`Execution: ${address}`,
		'',
		optionalText(question.answer) ?? 'There is no answer.',
	];
	return {
		isCompleted: question.status === 'completed' && execution.status === 'success',
		report: lines.join('\n'),
	};
}
