import type { INodeExecutionData } from 'n8n-workflow';

import type { AskingTurn } from '../api/questions';
import type { ItemRun, Services } from '../execution/itemRun';
import type { AcceptedRecord } from '../execution/ledger';
import { NodeRun } from '../execution/nodeRun';
import type { Operation, OperationDefinition } from '../execution/operation';
import { group, type Parameter, type Parameters, type ValuesOf } from '../parameters/parameter';
import type { Situation } from './next';
import { SendingRun } from './sendingRun';

/** How answers arrive. */
export interface AnswerChannel {
	kind: Situation['answersBy'];
	callbackUrl?: string;
}

/** What it takes to send an item. */
export interface Input<P extends Parameters, Prepared, Options> {
	values: ValuesOf<P>;
	prepared: Prepared;
	options: Options;
}

/** An operation that sends something once, or waits for what was sent. */
export interface SendingDefinition<
	P extends Parameters,
	Prepared,
	Options,
	Sent extends AcceptedRecord,
> extends Pick<
		OperationDefinition<P, Prepared>,
		'option' | 'output' | 'toolDescription' | 'parameters'
	> {
	/** How to wait, and what to output. Read on their own, since a wake that finds nothing new needs no more. */
	options: Parameter<Options>;
	/** Checks what the parameters alone don't show, before anything is sent for any item. */
	prepare?: (
		services: Services,
		values: ValuesOf<P>,
		options: Options,
	) => Prepared | Promise<Prepared>;
	/** What is sent, if something is: it has its turn within the service's limits. */
	sends?: 'question' | 'task';
	/** What the request is about, as JSON: what tells it from others. */
	content?: (input: Input<P, Prepared, Options>) => unknown;
	/** The session that a question continues: it is asked once the one before it is answered. */
	session?: (values: ValuesOf<P>) => string | undefined;
	/** How long sending may take, in minutes; by default as long as any request. */
	giveUpAfter?: (options: Options) => number;
	/** Sends it, or finds what was sent. */
	begin: (
		item: ItemRun,
		input: Input<P, Prepared, Options>,
		turn: AskingTurn,
		channel: AnswerChannel,
	) => Promise<AcceptedRecord>;
	/** What was sent, as it is kept. */
	read: (record: AcceptedRecord) => Sent;
	/** Whether someone who retries an execution wants it sent, or looked for, again. */
	isSentAgain?: (sent: Sent, isOpen: boolean) => boolean;
	/** If missing, nothing is waited for. */
	wait?: WaitDefinition<Sent, Options>;
	/** What is output. `unreached` is the number of items of the run that have not become what was waited for. */
	finish: (
		item: ItemRun,
		sent: Sent,
		options: Options,
		isTimedOut: boolean,
		unreached?: number,
	) => Promise<INodeExecutionData>;
}

/** What is waited for. */
export interface WaitDefinition<Sent, Options> {
	/** In minutes, from when the service accepted it. */
	maxWait: (options: Options) => number;
	/** Decided once per run, for all items. A node that can't park is running when a callback comes, and n8n rejects it. */
	chooseChannel: (services: Services, canPark: boolean) => AnswerChannel;
	isOver: (sent: Sent, options: () => Options) => boolean;
	/** Whether it has become what was waited for; if missing, any end is. */
	isReached?: (sent: Sent, options: Options) => boolean;
	/** What the editor shows in the meantime: for several items, or for a single one. `until` is when the wait ends at the latest. */
	hint: (until: string, only?: { sent: Sent; options: Options }) => string;
	/** How it stands now. Whatever it throws ends the item. */
	check: (services: Services, sent: Sent, ageMs: number) => Promise<Sent>;
	/** What was sent, as it was before its answer came: what the process keeps of it. If missing, it has nothing to do with it. */
	unanswered?: (sent: Sent) => Sent;
	/** What is wrong if n8n lets it not wait until its time is over; if missing, the item is output as it stands. */
	cutShort?: (isTimeoutNear: boolean) => Error;
}

/**
 * Makes an operation of its definition: it sends what the service's limits allow, parks as long as there is more to send or to wait
 * for, and outputs all items at once.
 *
 * @example
 * defineSendingOperation({
 * 	...{ option, output },
 * 	parameters: { title },
 * 	options: group({ isSimplified }),
 * 	sends: 'task',
 * 	begin: async ({ client, sendOnce }, { values }, turn) =>
 * 		await sendOnce(values, async (beforeSending) => await createTask(client, values, { ...turn, beforeSending })),
 * 	read: readTask,
 * 	finish: async (_item, task, { isSimplified }) => taskItem(task, isSimplified),
 * });
 */
export function defineSendingOperation<
	P extends Parameters,
	Prepared,
	Options,
	Sent extends AcceptedRecord,
>(definition: SendingDefinition<P, Prepared, Options, Sent>): Operation {
	const {
		option,
		toolDescription = option.description ?? '',
		output,
		parameters,
		options,
	} = definition;
	const { properties } = group({ ...parameters, options });
	return {
		option,
		toolDescription,
		properties,
		output,
		run: async (context) => {
			const run = await NodeRun.start(context, properties);
			return await run.upToOutput(async () => await new SendingRun(run, definition).execute());
		},
	};
}
