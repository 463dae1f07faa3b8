import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import FormData from 'form-data';
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
		const answer = answers[label];
		if (answer === undefined) continue;
		const field = `field-${index}`;
		if (typeof answer === 'string') {
			form.append(field, answer);
			continue;
		}
		for (const { content, contentType, fileName } of answer) {
			form.append(field, content, { contentType, filename: fileName });
		}
	}
	const auth = trigger.parameters.authentication === 'basicAuth' ? `${login.user}:${login.password}` : undefined;
	const response = await post(form, `${baseUrl}/form/${formPath(trigger)}`, auth);
	return { status: response.statusCode ?? 0, body: await text(response) };
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

async function post(form: FormData, url: string, auth?: string): Promise<IncomingMessage> {
	const { hostname, port, pathname } = new URL(url);
	return await new Promise((resolve, reject) => {
		form.submit({ hostname, port, path: pathname, protocol: 'http:', ...(auth !== undefined && { auth }) }, (error, response) => {
			if (error === null) resolve(response);
			else reject(error);
		});
	});
}
