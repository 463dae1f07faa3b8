import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { Differs } from './clause.mts';
import type { Reply } from './checkedService.mts';

/** What a field has to be, in words, and whether a value is that. */
export interface Kind {
	name: string;
	matches: (value: unknown) => boolean;
}

export const kind = (name: string, matches: Kind['matches']): Kind => ({ name, matches });

export const text = kind('text', (value) => typeof value === 'string' && value !== '');
export const nothing = kind('null', (value) => value === null || value === undefined);
export const list = kind('a list', Array.isArray);
export const number = kind('a number', (value) => typeof value === 'number');
export const address = kind(
	'an address',
	(value) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
);

export const either = (...kinds: Kind[]) =>
	kind(kinds.map(({ name }) => name).join(' or '), (value) =>
		kinds.some(({ matches }) => matches(value)),
	);

/** Exactly this, which the check itself knows or the specification names. */
export const exactly = (value: unknown) =>
	kind(JSON.stringify(value), (seen) => JSON.stringify(seen) === JSON.stringify(value));

/** A value without its content: what a report may say of it. */
export function describeShape(value: unknown) {
	if (value === undefined) return 'nothing';
	if (value === null || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (isRecord(value))
		return Object.keys(value).length === 0
			? 'an empty object'
			: `an object with ${joinNames(value)}`;
	if (value === '') return 'an empty text';
	if (typeof value === 'string') return isCode(value) ? JSON.stringify(value) : 'another text';
	return typeof value === 'number' ? 'a number' : 'something else';
}

/** The names of an object's fields. */
export const joinNames = (record: JsonRecord) => Object.keys(record).join(', ');

/** A status or an error code, which says nothing about anybody. */
const isCode = (value: string) => /^[a-z][a-z_]{1,40}$/i.test(value);

/** Checks the fields of an answer's object, and returns it. Fields that are not listed may be anything. */
export function expectFields(value: unknown, fields: Record<string, Kind>) {
	if (!isRecord(value))
		throw new Differs(`an object with ${Object.keys(fields).join(', ')}`, describeShape(value));
	const wrong = Object.entries(fields).filter(([name, kind]) => !kind.matches(value[name]));
	if (wrong.length === 0) return value;
	throw new Differs(
		wrong.map(([name, kind]) => `${name}: ${kind.name}`).join('; '),
		wrong.map(([name]) => `${name}: ${describeShape(value[name])}`).join('; '),
	);
}

/** Checks the status of a response. */
export function expectStatus({ status }: Reply, wanted: number) {
	if (status !== wanted) throw new Differs(`status ${wanted}`, `status ${status}`);
}

/** Checks that a request succeeded, and returns the body of its answer. */
export function expectOk(reply: Reply): unknown {
	if (reply.status !== 200 || reply.body === undefined)
		throw new Differs('status 200 with JSON', describeReply(reply));
	return reply.body;
}

/** Checks that a request is refused with the API's error body. */
export function expectRefusal(reply: Reply, status: number, code: string, message: Kind = text) {
	if (reply.status !== status)
		throw new Differs(`status ${status}, error_code "${code}"`, describeReply(reply));
	expectFields(reply.body, {
		error_code: exactly(code),
		svc_api_error_code: exactly(code),
		message,
	});
}

function describeReply({ status, body }: Reply) {
	const said = isRecord(body) ? (body.error_code ?? body.status) : undefined;
	if (typeof said === 'string' && isCode(said)) return `status ${status}, "${said}"`;
	return `status ${status}, ${body === undefined ? 'no JSON' : describeShape(body)}`;
}
