import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * The address that resumes this execution at this node (n8n puts a token of its own into it), for the service to send
 * callbacks to. Undefined if this n8n has none.
 */
export function resumeAddress(context: IExecuteFunctions): URL | undefined {
	const resumeUrl: unknown = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	if (typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return undefined;
	const url = new URL(resumeUrl);
	url.pathname += `/${encodeURIComponent(context.getNode().id)}`;
	return url;
}

/**
 * Whether n8n lets only one of two that resume an execution at once win. All versions that sign the resume address do;
 * with any other, an execution that wakes several times might go on twice.
 */
export function wakesSafely(context: IExecuteFunctions): boolean {
	return resumeAddress(context)?.searchParams.has('signature') === true;
}
