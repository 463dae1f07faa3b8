import FormData from 'form-data';

import type { WorkflowDefinition } from './n8nClient.mts';
import { type Patience, until } from './polling.mts';
import { asList, asRecord, asText } from './unknownJson.mts';

/** A file as a browser sends it with a form. */
export interface FormFile {
	fileName: string;
	contentType: string;
	content: Buffer;
}

/** What someone filled in, by the labels of the form's fields. */
export type FormAnswers = Readonly<Record<string, string | readonly FormFile[]>>;

/** The user name and password of the forms that ask for one, as n8n's Basic Auth credential holds them. */
export const formLogin = { user: 'colleague', password: 'secret' };

/** Posts a workflow's form to a running n8n as a browser does, logged in if it asks for that, and returns n8n's response. */
export async function submitForm(
	baseUrl: string,
	workflow: WorkflowDefinition,
	answers: FormAnswers,
) {
	const trigger = workflow.nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	const {
		formFields,
		options,
		authentication,
		path: ownPath,
	} = asRecord(trigger?.parameters, 'The form of the workflow');
	const fields = asList(asRecord(formFields, 'The form fields').values, 'The list of form fields');
	const form = new FormData();
	for (const [index, field] of fields.entries()) {
		const label = asText(asRecord(field, 'A form field').fieldLabel, 'The label of a form field');
		for (const answer of [answers[label] ?? []].flat()) {
			if (typeof answer === 'string') form.append(`field-${index}`, answer);
			else
				form.append(`field-${index}`, answer.content, {
					filename: answer.fileName,
					contentType: answer.contentType,
				});
		}
	}
	const authorization = `Basic ${Buffer.from(`${formLogin.user}:${formLogin.password}`).toString('base64')}`;
	const headers = {
		...form.getHeaders(),
		...(authentication === 'basicAuth' && { authorization }),
	};
	// A form that is answered by Respond to Webhook is of a version that has its path beside the options.
	const { path = ownPath } = asRecord(options, 'The options of the form');
	const response = await fetch(`${baseUrl}/form/${asText(path, 'The path of the form')}`, {
		method: 'POST',
		body: new Uint8Array(form.getBuffer()),
		headers,
	});
	return { status: response.status, body: await response.text() };
}

/**
 * Waits for the last page of a form, as the page that was sent in does, and opens it. It is given what n8n answered to the
 * submission, and returns the HTML of the last page.
 */
export async function lastPage(submitted: string, patience: Patience = {}) {
	const page = new URL(
		asText(
			asRecord(JSON.parse(submitted), 'The answer to the form').formWaitingUrl,
			'The address of the next page',
		),
	);
	const status = new URL(page);
	status.pathname += '/n8n-execution-status';
	await until(
		'the last page',
		async () => ((await (await fetch(status)).text()).trim() === 'form-waiting' ? true : undefined),
		patience,
	);
	const html = await (await fetch(page)).text();
	// The script in the page does this, and lets the execution end.
	await fetch(page, { method: 'POST' });
	return html;
}

/** A file as it is put into a form. */
export function toWebFile({ content, contentType, fileName }: FormFile) {
	return new File([new Uint8Array(content)], fileName, { type: contentType });
}
