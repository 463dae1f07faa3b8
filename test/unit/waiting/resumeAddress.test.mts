import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { resumeAddress, wakesSafely } from '../../../nodes/LegalAi/waiting/resumeAddress.ts';

const contextOf = (resumeUrl: unknown): IExecuteFunctions =>
	({ evaluateExpression: () => resumeUrl, getNode: () => ({ id: 'a node/1' }) }) as unknown as IExecuteFunctions;

test.each([
	['https://n8n.example.com/webhook-waiting/12?signature=s', 'https://n8n.example.com/webhook-waiting/12/a%20node%2F1?signature=s', true],
	['https://n8n.example.com/webhook-waiting/12', 'https://n8n.example.com/webhook-waiting/12/a%20node%2F1', false],
	['no address', undefined, false],
	[undefined, undefined, false],
	[7, undefined, false],
	[['https://n8n.example.com/webhook-waiting/12'], undefined, false],
])('the execution that n8n resumes at %j goes on with this node at %j; it may wake often: %j', (resumeUrl, expected, isSafe) => {
	expect(resumeAddress(contextOf(resumeUrl))?.href).toBe(expected);
	expect(wakesSafely(contextOf(resumeUrl))).toBe(isSafe);
});
