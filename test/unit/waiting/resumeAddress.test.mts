import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { resumeAddress, wakesSafely } from '../../../nodes/LegalAi/waiting/resumeAddress.ts';

const contextOf = (resumeUrl: unknown): IExecuteFunctions =>
	({ getWorkflowDataProxy: () => ({ $execution: { resumeUrl } }) }) as unknown as IExecuteFunctions;

test.each([
	['https://n8n.example.com/webhook-waiting/12?signature=s', 'https://n8n.example.com/webhook-waiting/12/legal-ai?signature=s', true],
	['https://n8n.example.com/webhook-waiting/12', 'https://n8n.example.com/webhook-waiting/12/legal-ai', false],
	['no address', undefined, false],
	[undefined, undefined, false],
	[7, undefined, false],
	[['https://n8n.example.com/webhook-waiting/12'], undefined, false],
])('the execution that n8n resumes at %j goes on with a waiting node at %j; it may wake often: %j', (resumeUrl, expected, isSafe) => {
	expect(resumeAddress(contextOf(resumeUrl))?.href).toBe(expected);
	expect(wakesSafely(contextOf(resumeUrl))).toBe(isSafe);
});
