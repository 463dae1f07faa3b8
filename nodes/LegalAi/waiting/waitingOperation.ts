import type { INodeExecutionData } from 'n8n-workflow';

import type { AskingBudget, Question } from '../api/questions';
import type { ItemRun, Services } from '../execution/itemRun';
import { NodeRun } from '../execution/nodeRun';
import type { Operation } from '../execution/operation';
import { group, type Parameter, type Parameters, type ValuesOf } from '../parameters/parameter';
import { findParkingPlace } from './executionStack';
import { Wait } from './wait';

/** How answers arrive: by callback, by checking for them, or within the request itself. */
export interface AnswerChannel {
	kind: 'callback' | 'polling' | 'sync';
	callbackUrl?: string;
}

/** What it takes to ask. */
export interface Input<P extends Parameters, Prepared, Options> {
	values: ValuesOf<P>;
	prepared: Prepared;
	options: Options;
}

/** An operation whose items are output once their questions are answered. */
export interface WaitingOperationDefinition<P extends Parameters, Prepared, Options>
	extends Pick<Operation, 'option' | 'toolDescription' | 'output'> {
	parameters: P;
	/** How to wait, and what to output. */
	options: Parameter<Options>;
	/** How long to wait for an answer, and how long to try to ask; in minutes. */
	limits: (options: Options) => { maxWait: number; giveUpAfter: number };
	prepare: (services: Services, values: ValuesOf<P>, options: Options) => Prepared | Promise<Prepared>;
	/** The session that a question continues: it is asked once the one before it is answered. */
	session?: (values: ValuesOf<P>) => string | undefined;
	/** Decided once per run, for all items. A node that can't park is running when a callback comes, and n8n rejects it. */
	chooseChannel: (services: Services, canPark: boolean) => AnswerChannel;
	/** Asks the question, or finds the one that was asked. */
	begin: (item: ItemRun, input: Input<P, Prepared, Options>, channel: AnswerChannel, budget: AskingBudget) => Promise<Question>;
	/** The output item of a question, answered or not. */
	finish: (item: ItemRun, question: Question, options: Options) => Promise<INodeExecutionData>;
}

/**
 * Makes an operation of its definition: it asks, parks as long as a question is open, and outputs all items at once.
 *
 * @example
 * defineWaitingOperation({
 * 	...{ option, toolDescription, output },
 * 	parameters: { question: questionReference },
 * 	options: optionsOf({ ...answerOptions, maxWait }),
 * 	limits: ({ maxWait }) => ({ maxWait, giveUpAfter: 0 }),
 * 	prepare: () => undefined,
 * 	chooseChannel: () => ({ kind: 'polling' }),
 * 	begin: async ({ client }, { values: { question } }) => await getQuestion(client, question.assistantId, question.questionId),
 * 	finish: answerItem,
 * });
 */
export function defineWaitingOperation<P extends Parameters, Prepared, Options>(
	definition: WaitingOperationDefinition<P, Prepared, Options>,
): Operation {
	return {
		option: definition.option,
		toolDescription: definition.toolDescription,
		properties: group({ ...definition.parameters, options: definition.options }).properties,
		output: definition.output,
		run: async (context) => {
			const run = await NodeRun.start(context);
			const place = findParkingPlace(context);
			// Without a credential nothing can be asked or checked, but a callback may still come.
			const isUsable = run.credentialError === undefined;
			const channel: AnswerChannel = isUsable ? definition.chooseChannel(run, place !== undefined) : { kind: 'callback' };
			return await new Wait(run, definition, channel, channel.kind === 'sync' ? undefined : place).execute();
		},
	};
}
