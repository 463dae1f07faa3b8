import type { Resource } from '../../execution/operation';
import { ask } from './ask.operation';
import { askAndWait } from './askAndWait.operation';
import { get } from './get.operation';
import { waitForAnswer } from './waitForAnswer.operation';

/** Legal questions and their answers. */
export const question = {
	option: { name: 'Question', value: 'question' },
	operations: { askAndWait, ask, get, waitForAnswer },
} satisfies Resource;
