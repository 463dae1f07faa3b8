import type { IExecuteFunctions } from 'n8n-workflow';

import { escaped } from '../errors/nodeError';

/** How often something happened, with names of what it happened to, and what to do. */
interface Tally {
	count: number;
	names: string[];
	advice: string;
}

/** By what is counted. */
type Tallies = Record<string, Tally>;

/** Hints that are shown with the output, whichever run of an execution they are from. */
export interface KeptNotices {
	hints: string[];
	/** Counts about sent items: no run sends an item again, so each is counted once. */
	sent: Tallies;
}

const MOST_NAMES = 5;

/** Sentences beside the node's output. */
export class Notices {
	private readonly context: IExecuteFunctions;
	private readonly kept: KeptNotices;
	private readonly output: Tallies = {};
	private readonly shown = new Set<string>();

	constructor(context: IExecuteFunctions, kept: KeptNotices) {
		this.context = context;
		this.kept = kept;
	}

	/** Shows a sentence now, and again if what is output comes from a later run. */
	hint(text: string) {
		const { hints } = this.kept;
		if (!hints.includes(text)) hints.push(text);
		this.hintForNow(text);
	}

	/** Shows a sentence, once, that is true only until the node runs again. */
	hintForNow(text: string) {
		const message = escaped(text);
		if (!this.shown.has(message))
			this.context.addExecutionHints({ message, location: 'outputPane' });
		this.shown.add(message);
	}

	/** Counts something about what was sent: a hint beside the output says how often it happened, and what to do. */
	countSent(what: string, advice: string) {
		addTo(this.kept.sent, what, advice);
	}

	/** The same about what is output. */
	count(what: string, advice: string, ...names: string[]) {
		addTo(this.output, what, advice, ...names);
	}

	/** Shows what was found out by all runs. */
	showAll() {
		for (const text of this.kept.hints) this.hintForNow(text);
		for (const tallies of [this.kept.sent, this.output])
			for (const [what, tally] of Object.entries(tallies)) this.hintForNow(inWords(what, tally));
	}
}

function addTo(tallies: Tallies, what: string, advice: string, ...names: string[]) {
	const known = tallies[what] ?? { count: 0, names: [] };
	// One more than is shown.
	const all = [...new Set([...known.names, ...names])].slice(0, MOST_NAMES + 1);
	tallies[what] = { count: known.count + 1, names: all, advice };
}

function inWords(what: string, { count, names, advice }: Tally) {
	const shown = names.map((name) => `"${name}"`);
	if (shown.length > MOST_NAMES) shown.splice(MOST_NAMES, shown.length, '…');
	const named = shown.length > 0 ? ` Names: ${shown.join(', ')}.` : '';
	return `Number of ${what}: ${count}.${named} ${advice}`;
}
