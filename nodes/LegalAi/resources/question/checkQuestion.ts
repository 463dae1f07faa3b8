import {
	getQuestion,
	inOutputOrder,
	isFinal,
	readQuestion,
	unanswered,
	type Question,
} from '../../api/questions';
import type { Services } from '../../execution/itemRun';
import type { AcceptedRecord } from '../../execution/ledger';
import { hints } from '../../messages/hints';
import { fillText } from '../../messages/template';
import { number, YEAR } from '../../parameters/number';
import { latestOf } from '../../waiting/latest';

/** How long an answer is waited for, in minutes from when the service accepted the question; 0 checks once. */
export const maxWait = number(
	'maxWait',
	'Max Wait (Minutes)',
	{
		default: 30,
		description:
			'How long to wait for the answer. Most answers take 2 to 5 minutes. If none arrives in time, the question is output without one, with "timed_out" set to true.',
	},
	{ min: 0, max: YEAR },
);

/** How a question is kept: someone who retries an execution wants another answer for one that has ended in an error. */
export const keptQuestion = {
	read: (record: AcceptedRecord): Question => readQuestion(record, String(record.assistant_id)),
	isSentAgain: ({ status }: Question): boolean => status === 'error',
};

/** How a question is waited for. */
export const forQuestion = {
	isOver: isFinal,
	check: latestQuestion,
	hint: (until: string, only?: { sent: Question }): string =>
		only === undefined
			? fillText(hints.waitingForSeveral, { until })
			: fillText(hints.waitingForOne, { until, id: only.sent.id }),
	unanswered,
};

/** A question that is waited for, as it stands now: see {@link latestOf}. */
export async function latestQuestion(
	services: Services,
	question: Question,
	ageMs: number,
): Promise<Question> {
	const { id, assistant_id, attachments_sent, skipped_files } = question;
	return await latestOf(services, question, ageMs, async (deadline) => {
		const latest = await getQuestion(services.client, assistant_id, id, deadline);
		// Only this node knows what was sent with the question.
		return inOutputOrder({
			...(attachments_sent && { attachments_sent }),
			...(skipped_files && { skipped_files }),
			...latest,
		});
	});
}
