import type { INodeExecutionData } from 'n8n-workflow';

import type { AcceptedRecord, SendingTurn, Thing } from '../api';
import type { ItemRun, Services } from '../execution/itemRun';
import type { OperationDefinition } from '../execution/operation';
import type { Parameter, Parameters, ValuesOf } from '../parameters';
import type { Situation } from './next';

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
	Kept extends AcceptedRecord,
> extends Pick<
		OperationDefinition<P, Prepared>,
		'option' | 'output' | 'toolDescription' | 'parameters'
	> {
	thing: Thing<Kept>;
	waitingTooltip: string;
	/** How to wait, and what to output. Read on their own, since a wake that finds nothing new needs no more. */
	options: Parameter<Options>;
	/** Checks what the parameters alone don't show, before anything is sent for any item. */
	prepare?: (
		services: Services,
		values: ValuesOf<P>,
		options: Options,
	) => Prepared | Promise<Prepared>;
	/** What the request is about, as JSON: what tells it from others. If missing, nothing is sent, and no limit has to be waited for. */
	content?: (input: Input<P, Prepared, Options>) => unknown;
	/** The session that it continues: it is sent once the one before it is answered. */
	session?: (values: ValuesOf<P>) => string | undefined;
	/** How long sending may take, in minutes; by default as long as any request. */
	giveUpAfter?: (options: Options) => number;
	/** Sends it, or finds what was sent. */
	begin: (
		item: ItemRun,
		input: Input<P, Prepared, Options>,
		turn: SendingTurn,
		channel: AnswerChannel,
	) => Promise<AcceptedRecord>;
	/** If missing, nothing is waited for. */
	wait?: WaitDefinition<Kept, Options>;
	/** What is output. `unreached` is the number of items of the run that have not become what was waited for. */
	finish: (
		item: ItemRun,
		record: Kept,
		options: Options,
		isTimedOut: boolean,
		unreached?: number,
	) => Promise<INodeExecutionData>;
}

/** What is waited for. */
export interface WaitDefinition<Kept, Options> {
	/** In minutes, from when the service accepted it. */
	maxWait: (options: Options) => number;
	/** Decided once per run, for all items. A node that can't park is running when a callback comes, and n8n rejects it. */
	chooseChannel: (services: Services, canPark: boolean) => AnswerChannel;
	/** What ends the wait before the thing itself is over. */
	until?: {
		isReached: (record: Kept, options: Options) => boolean;
		/** What the editor shows while a single one is waited for. */
		waiting: (until: string, record: Kept, options: Options) => string;
		/** What is wrong if n8n lets it not wait until its time is over. */
		cutShort: (isTimeoutNear: boolean) => Error;
		/** Whether a retry looks at it anew, instead of at what the execution before knew. */
		isBegunAgain: (record: Kept, isOpen: boolean) => boolean;
	};
}
