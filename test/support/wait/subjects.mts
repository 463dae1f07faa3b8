import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

/** A node that asks and waits, or only waits: what the model is a model of. */
export interface Subject {
	name: string;
	settings?: IWorkflowSettings;
	node?: Partial<INode>;
	/** What differs from a node that asks the words of each item, and waits. */
	parameters?: INodeParameters;
	/** Whether another branch comes later in the workflow's JSON. */
	hasSideBranch?: boolean;
	/** Whether its items are questions that were asked before. */
	isAskedBefore?: boolean;
	/** Whether the service knows no address to call back. */
	isNeverCalled?: boolean;
	/** Whether a question that ends in status error fails the node. */
	fails?: boolean;
	/** Whether all questions are asked in one session, which takes one open question at a time. */
	sharesSession?: boolean;
	/** How many questions the service turns away as too many. */
	turnedAway?: number;
	/** Whether each item has a file. */
	hasFiles?: boolean;
	/** Whether all items ask the same, each about a file of its own. */
	hasSameWords?: boolean;
}

export const subjects: Subject[] = [
	{ name: 'Ask and Wait' },
	{
		name: 'Ask and Wait, polling',
		parameters: { options: { waitUsing: 'polling' } },
		isNeverCalled: true,
	},
	{
		name: 'Wait for Answer',
		parameters: { operation: 'waitForAnswer', questionId: '={{ $json.id }}' },
		isAskedBefore: true,
		isNeverCalled: true,
	},
	{
		name: 'Ask and Wait, all in one session',
		parameters: { additionalFields: { sessionId: '={{ $json.session }}' } },
		sharesSession: true,
	},
	{ name: 'Ask and Wait, in portions', turnedAway: 2 },
	{
		name: 'Ask and Wait with a file each, beside a side branch',
		parameters: { attachments: { attachment: [{ source: 'allBinary' }] } },
		hasFiles: true,
		hasSideBranch: true,
	},
	{
		name: 'Ask and Wait with the same words about a file each',
		parameters: {
			question: 'Review this',
			attachments: { attachment: [{ source: 'allBinary' }] },
		},
		hasFiles: true,
		hasSameWords: true,
	},
	{
		name: 'Ask and Wait with other words each time, progress saved',
		parameters: { question: '={{ $json.words }} at {{ $now.toMillis() }}' },
		settings: { saveExecutionProgress: true },
	},
	{
		name: 'Ask and Wait with Retry On Fail and two outputs',
		node: { retryOnFail: true, maxTries: 3, onError: 'continueErrorOutput' },
	},
	{
		name: 'Ask and Wait, failing without an answer',
		parameters: { options: { onNoAnswer: 'fail' } },
		fails: true,
	},
];
