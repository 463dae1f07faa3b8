import type { INode } from 'n8n-workflow';

import type { WorkflowDefinition } from './n8nClient.mts';
import { type Patience, until } from './polling.mts';
import { asList, asRecord, asText, isRecord, optionalText } from './unknownJson.mts';

/** A file as a browser sends it with a form. */
export interface FormFile {
	readonly fileName: string;
	readonly contentType: string;
	readonly content: Buffer;
}

/** What someone filled in, by the labels of the form's fields. */
export type FormAnswers = Readonly<Record<string, string | readonly FormFile[]>>;

/** The user name and password of the forms that ask for one, as n8n's Basic Auth credential holds them. */
export const formLogin = { user: 'colleague', password: 'secret' } as const;

/** Posts a workflow's form to a running n8n as a browser does, logged in if it asks for that, and returns n8n's response. */
export async function submitForm(
	baseUrl: string,
	workflow: WorkflowDefinition,
	answers: FormAnswers,
	login: { readonly user: string; readonly password: string } = formLogin,
): Promise<{ status: number; body: string }> {
	const trigger = formTrigger(workflow);
	const form = new FormData();
	for (const [index, label] of fieldLabels(trigger).entries()) {
		for (const answer of [answers[label] ?? []].flat()) form.append(`field-${index}`, typeof answer === 'string' ? answer : fileOf(answer));
	}
	const isProtected = trigger.parameters.authentication === 'basicAuth';
	const authorization = `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
	const headers = isProtected ? { authorization } : undefined;
	const response = await fetch(`${baseUrl}/form/${formPath(trigger)}`, { method: 'POST', body: form, headers });
	return { status: response.status, body: await response.text() };
}

/**
 * Waits for the last page of a form, as the page that was sent in does, and opens it. It is given what n8n answered to the
 * submission, and returns the HTML of the last page.
 */
export async function lastPage(submitted: string, patience: Patience = {}): Promise<string> {
	const page = new URL(asText(asRecord(JSON.parse(submitted), 'The answer to the form').formWaitingUrl, 'The address of the next page'));
	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	await until('the last page', async () => ((await (await fetch(status)).text()).trim() === 'form-waiting' ? true : undefined), patience);
	const html = await (await fetch(page)).text();
	// The script in the page does this, and lets the execution end.
	await fetch(page, { method: 'POST' });
	return html;
}

/** The path of a workflow's form below n8n's `/form/`. */
export function formPath(trigger: INode): string {
	const { path, options }: Readonly<Record<string, unknown>> = trigger.parameters;
	const chosen = optionalText(path) ?? (isRecord(options) ? optionalText(options.path) : undefined);
	return asText(chosen ?? trigger.webhookId, 'The path of the form');
}

/** The form trigger that a workflow begins with. */
export function formTrigger(workflow: WorkflowDefinition): INode {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	if (trigger === undefined) throw new Error(`The workflow "${workflow.name}" begins with no form`);
	return trigger;
}

function fieldLabels(trigger: INode): string[] {
	const fields = asRecord(trigger.parameters.formFields, 'The form fields');
	return asList(fields.values, 'The list of form fields').map((field) =>
		asText(asRecord(field, 'A form field').fieldLabel, 'The label of a form field'),
	);
}

/** A file as it is put into a form. */
export function fileOf({ content, contentType, fileName }: FormFile): File {
	return new File([new Uint8Array(content)], fileName, { type: contentType });
}
