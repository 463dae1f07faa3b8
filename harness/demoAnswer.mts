import { bundledContract } from './examples.mts';
import { madeUpAnswer } from '../test/sandbox/state/answers.mts';
import type { Question } from '../test/sandbox/state/questions.mts';

const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);

/** The answer fields that the examples ask for. */
const FIELDS = {
	asks: true,
	changes: [
		{
			Clause: '8.2',
			'Our Version': 'The fees of twelve months',
			'Their Version': 'Unlimited',
			Importance: 'high',
		},
	],
	due: soon,
	duties: [{ duty: 'Give notice', due: soon, words: 'may terminate this Agreement' }],
	ends_on: soon,
	gaps: ['7: there is no deadline for a breach'],
	kind: 'contract',
	parties: 'Meridian Analytics and Example Industries',
	renewal: 'Renews for a year, unless it is ended 30 days before.',
	result: 'deviates from our playbook',
	risk: 'medium',
};

const document = { ...(await bundledContract('services-agreement.docx')), fileName: 'draft.docx' };

/** The sandbox's made-up review, with what the examples ask for: answer fields, or a Word file. */
export function demoAnswer(question: Pick<Question, 'text' | 'attachments'>) {
	const outcome = madeUpAnswer(question);
	if (outcome.status !== 'completed') return outcome;
	const asked = Object.entries(FIELDS).filter(([name]) => question.text.includes(`"${name}": `));
	const fields = `\`\`\`json\n${JSON.stringify(Object.fromEntries(asked))}\n\`\`\``;
	return {
		...outcome,
		answer: asked.length > 0 ? `${outcome.answer}\n\n${fields}` : outcome.answer,
		attachments: question.text.includes('one Word file') ? [document] : outcome.attachments,
	};
}
