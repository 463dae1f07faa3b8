import type { INode, INodeParameters, IWorkflowSettings } from 'n8n-workflow';

/** What the credential knows of the secret that the service signs with: that one, none, or another. */
export type KnownSecret = 'right' | 'none' | 'wrong';

/** A node that asks and waits, or only waits: what the model is a model of. */
export interface Subject {
	name: string;
	secret: KnownSecret;
	settings?: IWorkflowSettings;
	/** Whether a question that ends in status error fails the node. */
	fails?: boolean;
	node?: Partial<INode>;
	parameters: INodeParameters;
	/** Whether it asks by itself; otherwise its items are questions that were asked before. */
	asks: boolean;
	/** How often it checks a question, in the process, before it parks for the first time. */
	checksBeforeParking: number;
	/** Whether all questions are asked in one session, which takes one open question at a time. */
	sharesSession?: boolean;
}

const ofQuestion = {
	resource: 'question',
	assistantId: { __rl: true, mode: 'list', value: 'default' },
	options: {},
};

/** How long it waits for an answer, in ms. */
export const MAX_WAIT_MS = 30 * 60_000;

export const askAndWait: Subject = {
	name: 'Ask and Wait',
	parameters: { ...ofQuestion, operation: 'askAndWait', question: '={{ $json.words }}' },
	secret: 'right',
	asks: true,
	checksBeforeParking: 0,
};

export const waitForAnswer: Subject = {
	...askAndWait,
	name: 'Wait for Answer',
	parameters: { ...ofQuestion, operation: 'waitForAnswer', questionId: '={{ $json.id }}' },
	asks: false,
	checksBeforeParking: 6,
};

/** The same, where callbacks can only ring: there is no secret to verify them with. */
export const withoutSecret: Subject = {
	...askAndWait,
	name: 'Ask and Wait without a secret',
	secret: 'none',
};

/** The same, where no callback can be believed: the credential has another secret. */
export const withWrongSecret: Subject = {
	...askAndWait,
	name: 'Ask and Wait with a wrong secret',
	secret: 'wrong',
};

/** The same, where n8n stores the execution after each node. */
export const savingProgress: Subject = {
	...askAndWait,
	name: 'Ask and Wait, progress saved',
	settings: { saveExecutionProgress: true },
};

/** The same, where all items go on with the same session. */
export const oneSession: Subject = {
	...askAndWait,
	name: 'Ask and Wait, one session',
	parameters: { ...askAndWait.parameters, additionalFields: { sessionId: '={{ $json.session }}' } },
	sharesSession: true,
};

/** The same, where the service knows no address to call back. */
export const polling: Subject = {
	...askAndWait,
	name: 'Ask and Wait, polling',
	parameters: { ...askAndWait.parameters, options: { waitUsing: 'polling' } },
	checksBeforeParking: waitForAnswer.checksBeforeParking,
};

/** The same, with the settings of a node that is run again where it fails, and goes on where it fails for good. */
export const persistent: Subject = {
	...askAndWait,
	name: 'Ask and Wait, Retry On Fail',
	node: { retryOnFail: true, maxTries: 3, onError: 'continueErrorOutput' },
};

/** The same, where a question that ends in status error fails the node; a retry asks it anew. */
export const failing: Subject = {
	...askAndWait,
	name: 'Ask and Wait, failing on errors',
	parameters: { ...askAndWait.parameters, options: { onNoAnswer: 'fail' } },
	fails: true,
};
