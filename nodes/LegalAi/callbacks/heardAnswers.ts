import type { Question } from '../api/question';

const MOST_CHARACTERS = 50_000_000;

/** What an entry counts for besides its answers, so that many small ones are bounded too. */
const ENTRY_CHARACTERS = 1_000;

interface Entry {
	answers: Map<string, Question>;
	characters: number;
	resuming: boolean;
}

/**
 * The answers that parked executions have heard of while others of theirs are still out. n8n keeps nothing for
 * a webhook that does not resume, so this lives in the process: what is missing here (after a restart, in another
 * process, or pushed out because of its size) costs a look-up at the service, and no answer.
 */
export class HeardAnswers {
	private readonly entries = new Map<string, Entry>();

	private characters = 0;

	/** What a parked execution has heard so far, by question id. */
	of(parking: string): ReadonlyMap<string, Question> {
		return this.entries.get(parking)?.answers ?? new Map<string, Question>();
	}

	/** Remembers a final answer. */
	add(parking: string, question: Question): void {
		const entry = this.entry(parking);
		entry.answers.set(question.id, question);
		this.count(entry, JSON.stringify(question).length);
	}

	/** Whether the caller is the first to resume this execution; from then on its answers are the caller's. */
	claim(parking: string): boolean {
		const entry = this.entry(parking);
		if (entry.resuming) return false;
		entry.resuming = true;
		entry.answers = new Map();
		this.count(entry, ENTRY_CHARACTERS - entry.characters);
		return true;
	}

	private entry(parking: string): Entry {
		const known = this.entries.get(parking);
		if (known !== undefined) return known;
		const entry = { answers: new Map<string, Question>(), characters: 0, resuming: false };
		this.entries.set(parking, entry);
		this.count(entry, ENTRY_CHARACTERS);
		return entry;
	}

	/** Counts what an entry has grown by; beyond the bound the oldest entries go. */
	private count(grown: Entry, characters: number): void {
		grown.characters += characters;
		this.characters += characters;
		for (const [parking, entry] of this.entries) {
			if (this.characters <= MOST_CHARACTERS || entry === grown) break;
			this.entries.delete(parking);
			this.characters -= entry.characters;
		}
	}
}
