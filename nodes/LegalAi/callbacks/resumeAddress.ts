import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../api';

/**
 * The path of the node's webhook below n8n's resume address. Plain, since n8n would evaluate an expression for each callback.
 * All waiting nodes of an execution share it: the ID in a callback tells which node that is for.
 */
export const RESUME_PATH = 'legal-ai';

/** The resume address that n8n gives an execution, read without evaluating an expression. Undefined if this n8n has none. */
export function executionResumeUrl(context: IExecuteFunctions): URL | undefined {
	const execution: unknown = context.getWorkflowDataProxy(0).$execution;
	const resumeUrl = isRecord(execution) ? execution.resumeUrl : undefined;
	return typeof resumeUrl === 'string' && URL.canParse(resumeUrl) ? new URL(resumeUrl) : undefined;
}

const WELL_FORMED = /^https?:\/\/[^/?#]+(\/[\w.~-]+)+(\?signature=[^&#]*)?$/;

/**
 * Whether n8n responds at an address that it has made of `WEBHOOK_URL`: it joins texts, so not if that has no scheme, or a blank, a
 * second slash or a query at its end.
 */
export function isWellFormed({ href }: URL): boolean {
	return WELL_FORMED.test(href);
}

/** The address that resumes this execution at this node, with a token of n8n's own. Undefined if this n8n has none. */
export function resumeAddress(context: IExecuteFunctions): URL | undefined {
	const url = executionResumeUrl(context);
	if (url !== undefined) url.pathname += `/${RESUME_PATH}`;
	return url;
}
