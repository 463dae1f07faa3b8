import { isRecord, textOrNull, type JsonRecord } from '../api/json';
import { labelOf } from './label';

/** Who or what a task can refer to. */
export type ReferenceKind = 'person' | 'team' | 'matter';

/** Someone or something that a task refers to. */
export interface Reference {
	id: string;
	/** Absent if the task does not tell it. */
	name?: string;
}

/** Fields of a task that refer to something. The specification shows those that can be set, and leaves the others open. */
const FIELDS: Record<ReferenceKind, RegExp> = {
	person: /^(assigned_to|assignees?|created_by|creator|owners?|shared_with|participants|involved)(_ids?)?$/,
	team: /^(assigned_)?teams?(_ids?)?$/,
	matter: /^matters?(_ids?)?$/,
};

/** Fields in which an object tells its own ID, the plainest first: it may name others as well, e.g. its organization. */
const OWN_ID: Record<ReferenceKind | 'agent', readonly string[]> = {
	person: ['id', 'uuid', 'user_id', 'person_id', 'member_id'],
	team: ['id', 'uuid', 'team_id'],
	matter: ['id', 'uuid', 'matter_id'],
	agent: ['id', 'uuid', 'agent_id', 'assistant_id'],
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const OTHER_THAN_PERSON = /agent|assistant|bot|team|group/i;

/** The persons, teams or matters that a task refers to, each as often as it does. */
export function referencesIn(task: JsonRecord, kind: ReferenceKind): Reference[] {
	const agent = referenceOf(task.assigned_agent, 'agent')?.id;
	return Object.entries(task)
		.filter(([field]) => FIELDS[kind].test(field))
		.flatMap(([field, value]) => {
			const entries: unknown[] = Array.isArray(value) ? value : [value];
			const nameBeside = Array.isArray(value) ? undefined : textOrNull(task[`${field.replace(/_id$/, '')}_name`])?.trim();
			return entries
				.filter((entry) => kind !== 'person' || !isOtherThanPerson(entry))
				.flatMap((entry) => referenceOf(entry, kind, nameBeside) ?? []);
		})
		.filter(({ id }) => id !== agent);
}

/** An ID alone, or an object with an ID and maybe a name. */
function referenceOf(entry: unknown, kind: ReferenceKind | 'agent', nameBeside?: string): Reference | undefined {
	const id = isRecord(entry) ? OWN_ID[kind].map((field) => entry[field]).find(isUuid) : entry;
	if (!isUuid(id)) return undefined;
	const label = isRecord(entry) ? labelOf({ ...entry, id: undefined }) : '';
	return { id, name: label || nameBeside || undefined };
}

function isOtherThanPerson(entry: unknown): boolean {
	return isRecord(entry) && [entry.type, entry.kind].some((type) => OTHER_THAN_PERSON.test(textOrNull(type) ?? ''));
}

function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}
