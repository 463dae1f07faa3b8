import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import type { ReceivedCallback } from './callbackReceiver.mts';
import { clause, type Clause, Differs, NotTried, shared } from './clause.mts';
import { CHECK_NAME, type CheckedService, type Reply } from './checkedService.mts';
import { uploadedJob } from './files.mts';
import { readPages } from './lists.mts';
import {
	address,
	either,
	exactly,
	expectFields,
	expectOk,
	expectRefusal,
	expectStatus,
	kind,
	list,
	nothing,
	number,
	describeShape,
	text,
	type Kind,
} from './shape.mts';

const MINUTE = 60_000;
const ANSWERED_WITHIN = 20 * MINUTE;
const CALLED_BACK_WITHIN = 2 * MINUTE;
/** From then on, a request that fails may have been accepted (reading, "Questions"). */
const SYNC_LIMIT = 25_000;

const UNKNOWN = 'f3c1a2b4-0000-4000-8000-000000000000';
/** The words at the end make the sandbox answer with a file; they mean nothing to others. */
const WORDS = `${CHECK_NAME}: please answer in one sentence, and give the sentence as a file, too. [file]`;

/** What comes of a connection that was cut. */
const NO_REPLY: Reply = { status: 0, headers: new Headers(), body: undefined, length: 0 };

type Question = JsonRecord & { id: string };

const ends = ['completed', 'error', 'filtered'];
const nullable = either(text, nothing);
const emptyList = kind('an empty list', (value) => Array.isArray(value) && value.length === 0);
const noFiles = either(nothing, emptyList);

const inSession = { session_id: text, session_url: address, reason: nothing };

/** The fields of a question in each status (specification, "Question"). */
const FIELDS: Record<string, Record<string, Kind>> = {
	in_progress: { ...inSession, answer: nothing, attachments: noFiles },
	completed: { ...inSession, answer: text, attachments: either(list, nothing) },
	error: { ...inSession, answer: text, attachments: noFiles },
	filtered: {
		session_id: exactly(null),
		session_url: exactly(null),
		answer: nullable,
		attachments: noFiles,
		reason: nullable,
	},
};

/** What is enough to go on with. */
function anyQuestion(body: unknown): Question {
	const question = expectFields(body, { id: text, status: text });
	return { ...question, id: String(question.id) };
}

/** Checks a question in one of these statuses. */
function questionIn(body: unknown, ...statuses: string[]): Question {
	const question = anyQuestion(body);
	// A status that is not known counts as open.
	const status = ends.includes(String(question.status)) ? String(question.status) : 'in_progress';
	if (!statuses.includes(status))
		throw new Differs(
			`status: ${statuses.join(' or ')}`,
			`status: ${describeShape(question.status)}`,
		);
	expectFields(body, FIELDS[status] ?? {});
	return question;
}

const poll = (service: CheckedService, id: string, assistant = 'default') =>
	service.get(`/assistants/${encodeURIComponent(assistant)}/questions/${encodeURIComponent(id)}`);

const callback = ({ callbacks }: CheckedService) =>
	callbacks === undefined ? {} : { callback_url: callbacks.url };

const first = shared('the question', async (service) => {
	const jobId = await uploadedJob(service).catch(() => undefined);
	const attachments = jobId === undefined ? [] : [{ upload_job_id: jobId }];
	const body = {
		question: WORDS,
		attachments,
		permissions: { visibility: 'private' },
		...callback(service),
	};
	return anyQuestion(expectOk(await service.ask(body)));
});

/** The first question once it is answered, and how long that took, in ms. */
const answered = shared('the answer', async (service) => {
	const { id } = await first(service);
	const started = service.now();
	const body = await service.until('the answer', ANSWERED_WITHIN, async () => {
		const question = expectOk(await poll(service, id));
		return isRecord(question) && ends.includes(String(question.status)) ? question : undefined;
	});
	if (body === undefined) throw new Differs('an answer within 20 minutes', 'none');
	return { question: anyQuestion(body), took: service.now() - started };
});

/** A second question in the same session, that waits for its answer; and how long the request took, in ms. */
const followUp = shared('the second question', async (service) => {
	const { question } = await answered(service);
	const attachments =
		service.callbacks === undefined ? {} : { attachments: [{ url: service.callbacks.url }] };
	const body = {
		question: WORDS,
		session_id: question.session_id,
		sync_mode: true,
		...attachments,
		...callback(service),
	};
	const started = service.now();
	service.progress('Waiting for an answer within the request: up to 30 s');
	const isLate = () => service.now() - started >= SYNC_LIMIT;
	const reply = await service.ask(body).catch((error: unknown) => {
		if (error instanceof Differs && isLate()) return NO_REPLY;
		throw error;
	});
	return { reply, took: service.now() - started };
});

/** A question of no legal matter, to an assistant that may decline it. */
const declined = shared('a declined question', async (service) => {
	const assistant = (await readPages(service, 'assistants')).records
		.map(({ id }) => String(id))
		.find((id) => id !== 'default');
	if (assistant === undefined)
		throw new NotTried('there is no other assistant that may decline a question');
	const question = anyQuestion(
		expectOk(
			await service.ask({ question: 'What is for lunch?', ...callback(service) }, assistant),
		),
	);
	if (question.status !== 'filtered')
		throw new NotTried('the assistant that was asked takes any question');
	return { assistant, question };
});

function requireReceiver({ callbacks: receiver }: CheckedService) {
	if (receiver === undefined)
		throw new NotTried('needs LEGAL_AI_WEBHOOK_SECRET and LEGAL_AI_CALLBACK_URL');
	return receiver;
}

/** The callbacks of a question, once one came in. */
async function awaitCallbacks(service: CheckedService, { id }: Question) {
	const { received } = requireReceiver(service);
	const came = await service.until('the callback', CALLED_BACK_WITHIN, () => {
		const [only, ...more] = received.filter(({ payload }) => payload.id === id);
		return Promise.resolve(only === undefined ? undefined : ([only, ...more] as const));
	});
	if (came === undefined)
		throw new Differs(
			'a callback within 2 minutes',
			'none: it was dropped, or LEGAL_AI_CALLBACK_URL does not lead here',
		);
	return came;
}

/** Checks that a callback says what a look at the question says; addresses of files may be others. */
function expectAlike({ payload }: ReceivedCallback, question: Question) {
	const { status } = questionIn(payload, String(question.status));
	const names = ['session_id', 'session_url', 'answer', 'reason'] as const;
	const others = names.filter((name) => (payload[name] ?? null) !== (question[name] ?? null));
	if (others.length > 0)
		throw new Differs(
			`the same as the ${String(status)} question`,
			`others in ${others.join(', ')}`,
		);
}

const refuses = (what: string, body: unknown, code?: string) =>
	clause(
		`A question ${what} is refused with 400${code === undefined ? '' : ` and error_code "${code}"`}`,
		async (service) => {
			const reply = await service.ask(body);
			if (code !== undefined) expectRefusal(reply, 400, code);
			expectStatus(reply, 400);
			return code === undefined && isRecord(reply.body)
				? describeShape(reply.body.error_code)
				: undefined;
		},
	);

const isNotFound = (what: string, look: (service: CheckedService) => Promise<Reply>) =>
	clause(`${what} gets 404 with error_code "resource_not_found"`, async (service) => {
		expectRefusal(await look(service), 404, 'resource_not_found');
	});

/** Asking (specification, "POST /assistants/{assistant_id}/questions"). What is refused comes first: it costs nothing. */
export const asking: Clause[] = [
	refuses('that is no JSON', '{"question":', 'invalid_request_body'),
	refuses('without words', {}, 'invalid_request_body'),
	refuses('of more than 10,000 characters', { question: 'x'.repeat(10_001) }),
	refuses('with 11 attachments', {
		question: WORDS,
		attachments: Array(11).fill({ url: 'https://example.com/a.pdf' }),
	}),
	refuses('with an unknown visibility', {
		question: WORDS,
		permissions: { visibility: 'everyone' },
	}),
	refuses(
		'with an unknown upload job',
		{ question: WORDS, attachments: [{ upload_job_id: UNKNOWN }] },
		'invalid_upload_job',
	),
	isNotFound('A question to an unknown assistant', (service) =>
		service.ask({ question: WORDS }, UNKNOWN),
	),
	clause(
		'A question with a file is accepted at once, in progress and without an answer, in a new session',
		async (service) => {
			const { id, session_id: session } = questionIn(await first(service), 'in_progress');
			return `the ID of the session is ${session === id ? 'that' : 'not that'} of the question`;
		},
	),
	clause(
		'A second question in a session is refused with 400 and error_code "session_still_processing" while the first is processed',
		async (service) => {
			const { id, session_id } = await first(service);
			const reply = await service.ask({ question: WORDS, session_id });
			const { status } = questionIn(expectOk(await poll(service, id)), 'in_progress', ...ends);
			if (status !== 'in_progress') throw new NotTried('the first was answered too soon');
			expectRefusal(reply, 400, 'session_still_processing');
		},
	),
	clause('A question is looked up by its ID, also while it is processed', async (service) => {
		const { id } = await first(service);
		const shown = questionIn(expectOk(await poll(service, id)), 'in_progress', ...ends);
		if (shown.id !== id) throw new Differs('the ID of the question', 'another');
		return `status: ${describeShape(shown.status)}`;
	}),
	isNotFound('A question that was never asked', (service) => poll(service, UNKNOWN)),
	isNotFound('A question that was asked of another assistant', async (service) =>
		poll(service, (await first(service)).id, UNKNOWN),
	),
];

/** What becomes of questions (specification, "Question status"). */
export const answers: Clause[] = [
	clause(
		'A question ends in "completed" with an answer, or in "error" with a message',
		async (service) => {
			const { question, took } = await answered(service);
			questionIn(question, 'completed', 'error');
			return `"${String(question.status)}" after ${Math.round(took / 1000)} s`;
		},
	),
	clause(
		'A file of an answer has a name, a type, a length and an address, and is downloaded from there without the key',
		async (service) => {
			const { id } = (await answered(service)).question;
			const { attachments } = questionIn(expectOk(await poll(service, id)), 'completed', 'error');
			const [file] = Array.isArray(attachments) ? (attachments as unknown[]) : [];
			if (file === undefined) throw new NotTried('the answer came without a file');
			const length = either(number, nothing);
			const shown = expectFields(file, {
				file_name: nullable,
				content_type: nullable,
				content_length: length,
				url: address,
			});
			const downloaded = await service.download(String(shown.url));
			expectStatus(downloaded, 200);
			if (shown.content_length && shown.content_length !== downloaded.length)
				throw new Differs('as many bytes as content_length says', 'others');
		},
	),
	clause(
		'A follow-up belongs to the same session, has an ID of its own, and is never declined',
		async (service) => {
			const [{ question }, { reply }] = [await answered(service), await followUp(service)];
			if (reply.status !== 200) throw new NotTried('it was not answered within the request');
			const second = questionIn(reply.body, 'in_progress', 'completed', 'error');
			if (second.session_id !== question.session_id)
				throw new Differs('session_id: that of the first question', 'another');
			if (second.id === question.id)
				throw new Differs('id: another than that of the first question', 'the same');
		},
	),
	clause('A question with sync_mode waits for its answer, for 30 seconds', async (service) => {
		const { reply, took } = await followUp(service);
		const seconds = `after ${Math.round(took / 1000)} s`;
		const status = isRecord(reply.body) ? reply.body.status : undefined;
		const isOpen = reply.status !== 200 || !ends.includes(String(status));
		const seen =
			reply.status === 200
				? `${describeShape(status)} ${seconds}`
				: `status ${reply.status} ${seconds}`;
		if (isOpen && took < SYNC_LIMIT) throw new Differs('an answer, or a wait of 30 seconds', seen);
		return seen;
	}),
	clause('A file can be attached by its public address', async (service) => {
		requireReceiver(service);
		const { reply, took } = await followUp(service);
		if (took < SYNC_LIMIT) expectStatus(reply, 200);
	}),
	clause(
		'A question that an assistant declines is "filtered", without a session, and stays so with the same words',
		async (service) => {
			const { assistant, question } = await declined(service);
			questionIn(question, 'filtered');
			const again = questionIn(expectOk(await poll(service, question.id, assistant)), 'filtered');
			const isSame = isDeepStrictEqual(
				[again.answer, again.reason],
				[question.answer, question.reason],
			);
			if (!isSame) throw new Differs('the same answer and reason', 'others');
			return `reason: ${question.reason == null ? 'null' : 'text'}`;
		},
	),
];

/** Callbacks (specification, "Events"). */
export const callbacks: Clause[] = [
	clause('A callback says what a look at the question says', async (service) => {
		const { question } = await answered(service);
		const all = await awaitCallbacks(service, question);
		for (const each of all) expectAlike(each, question);
		const [{ headers }] = all;
		const { 'content-type': type = 'none', 'content-encoding': encoding = 'none' } = headers;
		return `content-type: ${type}; content-encoding: ${encoding}; came ${all.length} time(s)`;
	}),
	clause(
		'A callback is signed with the webhook secret over its time and its body, within 60 seconds',
		async (service) => {
			const { secret } = requireReceiver(service);
			const [{ headers, raw, at }] = await awaitCallbacks(
				service,
				(await answered(service)).question,
			);
			const header = headers['service-signature'];
			const [, time = '', signature] =
				/^t=(\d+),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
			if (signature === undefined)
				throw new Differs('Service-Signature: t=…,v1=… in lowercase hex', describeShape(header));
			const expected = createHmac('sha256', secret).update(`${time}.`).update(raw).digest('hex');
			if (signature !== expected)
				throw new Differs('the signature that LEGAL_AI_WEBHOOK_SECRET gives', 'another');
			if (Math.abs(at - Number(time)) > 60)
				throw new Differs('a time within 60 seconds', `${Math.abs(at - Number(time))} seconds off`);
		},
	),
	clause('A declined question is called back, too', async (service) => {
		const { question } = await declined(service);
		for (const each of await awaitCallbacks(service, question)) expectAlike(each, question);
	}),
	clause('A question with sync_mode is not called back', async (service) => {
		const { received } = requireReceiver(service);
		const { reply } = await followUp(service);
		const { id } = isRecord(reply.body) ? reply.body : {};
		if (reply.status !== 200 || typeof id !== 'string')
			throw new NotTried('it was not answered within the request');
		if (received.some(({ payload }) => payload.id === id)) throw new Differs('no callback', 'one');
	}),
];
