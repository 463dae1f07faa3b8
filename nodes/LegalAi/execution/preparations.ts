import type { AcceptedRecord } from '../api/recordType';
import type { Fields, Values } from '../fields/field';
import { readAll, readLazily } from '../fields/read';
import type { Prepared, ResumableDefinition } from './resumableDefinition';
import type { Run } from './run';

/** The fields of a run's items, and their prepared sends: each is read or prepared once, and not before it is needed. */
export class Preparations<F extends Fields, Kept extends AcceptedRecord> {
	private readonly run: Run;
	private readonly definition: ResumableDefinition<F, Kept>;
	/** By item index. */
	private readonly values: Array<Values<F>> = [];
	private readonly prepared: Array<Prepared<Kept> | undefined> = [];

	constructor(run: Run, definition: ResumableDefinition<F, Kept>) {
		this.run = run;
		this.definition = definition;
	}

	/** Reads all fields of an item, and so checks them. */
	checkFields(index: number) {
		this.values[index] = readAll(this.run.context, index, this.definition.fields);
	}

	/** Each field is read once it is used: a wake that finds nothing new, and an item that is output, evaluate no more than they need. */
	valuesFor(index: number): Values<F> {
		return (this.values[index] ??= readLazily(this.run.context, index, this.definition.fields));
	}

	/** Prepares the send of an item; undefined if the operation sends nothing. */
	async prepare(index: number): Promise<Prepared<Kept> | undefined> {
		const { run, definition } = this;
		return (this.prepared[index] ??= await definition.prepare?.(run, this.valuesFor(index)));
	}

	/** Reads the content of an item, which tells it from other sends. */
	async contentFor(index: number): Promise<unknown> {
		return await (await this.prepare(index))?.content();
	}
}
