import { BoundedMap } from '../api/boundedMap';
import type { Question } from '../api/questions';

const MAX_CHARACTERS = 50_000_000;

/** What an execution counts in addition to its answers, so that many small ones are bounded, too. */
const ENTRY_CHARACTERS = 1_000;

interface Entry {
	answers: Map<string, Question>;
	characters: number;
}

/**
 * Answers of parked executions that still wait for other answers. n8n stores nothing for a webhook that does not resume, so
 * they are kept in the process. If one is missing (after a restart, in another process, or evicted), the node checks the
 * question instead.
 */
export class AnswerCache {
	private readonly entries = new BoundedMap<string, Entry>(MAX_CHARACTERS, ({ characters }) => characters);

	/** What an execution has received so far, by question ID. */
	get(executionId: string): ReadonlyMap<string, Question> {
		return this.entries.get(executionId)?.answers ?? new Map<string, Question>();
	}

	/** Remembers a final answer. */
	add(executionId: string, question: Question): void {
		const { answers, characters } = this.entries.get(executionId) ?? { answers: new Map<string, Question>(), characters: 0 };
		if (answers.has(question.id)) return;
		const added = ENTRY_CHARACTERS + JSON.stringify(question).length;
		this.entries.set(executionId, { answers: answers.set(question.id, question), characters: characters + added });
	}

	/** Once an execution has its answers, they need not be kept here. */
	delete(executionId: string): void {
		this.entries.delete(executionId);
	}
}

/** The one cache of this process, which callbacks fill and waking executions read. */
export const answerCache = new AnswerCache();
