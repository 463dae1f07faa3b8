import { expect, test } from 'vitest';

import { maxWait } from '../../../nodes/LegalAi/resources/question/maxWait.ts';
import { askOptions } from '../../../nodes/LegalAi/resources/question/newQuestion.ts';
import { complaintAbout, read } from '../parameters/reading.mts';

const DAY = 24 * 60;

test.each([
	['Max Wait (Minutes)', maxWait],
	['Give Up After (Minutes)', askOptions.giveUpAfter],
])('"%s" can be a leap year, and no more', (name, parameter) => {
	for (const minutes of [0, 0.5, 30 * DAY, 366 * DAY]) expect(read(parameter, minutes)).toBe(minutes);
	for (const minutes of [-1, 366 * DAY + 1]) expect(complaintAbout(parameter, minutes)).toContain(`"${name}"`);
});
