import { textOrNull, type JsonRecord } from '../api/json';

/** What a record is called; undefined if it does not say. */
export function nameOf({ name, title }: JsonRecord): string | undefined {
	return (textOrNull(name) ?? textOrNull(title))?.trim() || undefined;
}

/** A record's ID as text; undefined if it has none to pick it by. */
export function idOf({ id }: JsonRecord): string | undefined {
	return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : undefined;
}

/** What a record is called in a list: its name, else its ID. */
export function labelOf(record: JsonRecord): string {
	return nameOf(record) ?? idOf(record) ?? '';
}

/** What a task is called in a list, e.g. `LEGAL-12 Review supplier NDA`. */
export function taskLabel(task: JsonRecord): string {
	const key = idOf({ id: task.display_id });
	return key === undefined ? labelOf(task) : `${key} ${labelOf(task)}`;
}
