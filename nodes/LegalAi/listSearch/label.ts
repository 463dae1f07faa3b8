import { textOrNull, type JsonRecord } from '../api/json';

const NAME_LIKE = [/^name$/i, /^(title|label)$/i, /^display_?name$/i, /(name|title|label)$/i];

/** What a record is called: the field whose name says so best, else its id. */
export function labelOf(record: JsonRecord): string {
	const fields = Object.entries(record);
	for (const nameLike of NAME_LIKE) {
		const name = fields.find(([field, value]) => nameLike.test(field) && textOrNull(value)?.trim())?.[1];
		if (typeof name === 'string') return name.trim();
	}
	return idOf(record) ?? '';
}

/** A record's id as text; undefined where it has none to pick it by. */
export function idOf({ id }: JsonRecord): string | undefined {
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** What a task is called, e.g. `LEGAL-12 Review supplier NDA`. */
export function taskLabel(task: JsonRecord): string {
	const key = idOf({ id: task.display_id });
	return key === undefined ? labelOf(task) : `${key} ${labelOf(task)}`;
}
