import { NodeHelpers } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { readTriggerParameters, triggerProperties } from '../../../nodes/LegalAi/trigger/properties.ts';

const { description } = new LegalAiTrigger();
const options = triggerProperties.find(({ name }) => name === 'options')?.options ?? [];

test('a trigger without options checks signatures, starts once for each answer and downloads no files', () => {
	expect(readTriggerParameters((name) => (name === 'events' ? ['error'] : null))).toEqual({
		events: ['error'],
		options: { downloadFiles: false, maxFileSize: 100, outputPrefix: 'file_', skipDuplicates: true, verifySignature: true },
	});
});

test.each(options.map((option) => ({ name: option.name, option })))('$name is the same for all callbacks: it takes no expression', ({ option }) => {
	expect(option).toMatchObject({ noDataExpression: true });
});

describe('the warning about signatures', () => {
	const warning = triggerProperties.find(({ name }) => name === 'unverifiedNotice');
	test.each([
		['they are checked by default', {}, false],
		['they are checked', { verifySignature: true }, false],
		['they are not', { verifySignature: false }, true],
	])('if %s', (_case, chosen, isShown) => {
		expect(warning && NodeHelpers.displayParameter({ options: chosen }, warning, null, description)).toBe(isShown);
	});
});

