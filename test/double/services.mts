import fc from 'fast-check';

import { EXPIRED_ANSWERS } from '../support/expiredAddresses.mts';

const one = fc.constantFrom;

/** Rarely true, so that most services have a few oddities rather than all. */
const seldom = one(false, false, false, true);

/** The fields that lead to something, for each of its usual places. */
const paths = (...places: string[]): string[][] => places.map((place) => place.split('.'));

const CURSORS = paths(
	...[
		'next_cursor',
		'nextCursor',
		'next_page_token',
		'next_token',
		'nextPageToken',
		'next',
		'cursor',
		'after',
		'end_cursor',
	],
	...[
		'page_info.end_cursor',
		'pageInfo.endCursor',
		'page.next_cursor',
		'page.next',
		'paging.cursors.after',
		'paging.next_cursor',
	],
	...[
		'pagination.next.cursor',
		'links.next',
		'meta.pagination.next_cursor',
		'response_metadata.next_cursor',
	],
);
const FLAGS = paths(
	...['has_more', 'hasMore', 'has_next', 'more'],
	...['page_info.has_next_page', 'pageInfo.hasNextPage', 'pagination.has_more', 'meta.has_more'],
);
const TOTALS = paths('total', 'total_count', 'totalCount', 'meta.total', 'pagination.total');

/** How a list is put into pages. */
const page = (...names: string[]) =>
	fc
		.record({
			list: one(...[...names, 'data', 'items', 'results'].map((name) => [name]), ['data', 'items']),
			cursor: one(...CURSORS),
			cursorIs: one('text', 'symbols', 'number', 'address', 'query'),
			/** What stands there on the last page; `kept` leaves the last cursor, and only the flag tells. */
			atEnd: one('null', 'absent', 'empty', 'kept'),
			/** Where a flag tells whether there is more, and where the number of all records stands. */
			flag: fc.option(one(...FLAGS), { freq: 2 }),
			total: fc.option(one(...TOTALS), { freq: 2 }),
			/** How many records that this user can't see are counted in the total. */
			unseen: one(0, 57),
			beside: fc.subarray(
				['count', 'limit', 'totals', 'previous cursor', 'empty list', 'other list'],
				{ maxLength: 2 },
			),
			/** What stands in place of an empty list. */
			empty: one([], null),
			/** How full the pages are, one after another and over again; 1 is as full as asked for. */
			fill: one([1], [0.5], [1, 0, 0.5], [0, 1], [0.1, 1]),
		})
		.filter(({ list, cursor, atEnd, flag, total, unseen, beside }) => {
			const paths = [list, cursor, flag, total]
				.filter((path) => path !== null)
				.map((path) => path.join('/'));
			const clashes = paths.some((path, index) =>
				paths.some((other, at) => at !== index && `${other}/`.startsWith(`${path}/`)),
			);
			const saysEnd = flag !== null || atEnd === 'null' || atEnd === 'empty';
			// Without a word about the end, a larger total or a text that may be a cursor is an error.
			const isClear =
				saysEnd || (atEnd !== 'kept' && unseen === 0 && !beside.includes('previous cursor'));
			return !clashes && isClear;
		});

const generatedFile = fc
	.record({
		name: one(
			'Redline.docx',
			'Übersicht (final).pdf',
			null,
			'../../etc/passwd',
			'a/b.docx',
			'notes',
		),
		contentType: one(
			'application/pdf',
			null,
			'text/plain; charset=utf-8',
			'application/octet-stream',
		),
		size: one(1000, 0, 1, 17, 70_000, 300_001),
		/** What `content_length` says. */
		announced: one('size', 'size', 'null', 'zero'),
		url: one('present', 'present', 'present', 'present', 'absent', 'null'),
		transfer: one('plain', 'chunked', 'gzip', 'redirect'),
		/** What goes wrong with its download: the first time, or each time. */
		trouble: one('none', 'none', 'expired', 'cut', 'short', 'log-in page', 'server error'),
		troubleEachTime: seldom,
	})
	// Half of nothing is all of it; and half of what nobody has announced looks like all of it.
	.filter(
		({ size, announced, trouble }) =>
			!['cut', 'short', 'log-in page'].includes(trouble) || (size > 1 && announced === 'size'),
	);

/** What may differ from service to service: everything that the specification leaves open, as this package reads it. */
const parts = {
	/** Makes the service's records, file contents and cursors differ from those of another seed. */
	seed: fc.integer({ min: 1, max: 9999 }),
	/** What comes before `/api/v1` in the base address. */
	basePath: one('', '/tenant-7', '/legal/v2'),
	json: fc.record({
		contentType: one(
			'application/json',
			'application/json; charset=utf-8',
			'application/vnd.legal+json',
			'text/plain',
		),
		pretty: fc.boolean(),
		/** Whether answers are zipped for clients that can read that. */
		gzip: fc.boolean(),
		/** Whether objects have fields that the specification does not name. */
		extraFields: fc.boolean(),
	}),
	/** Assistants, playbooks and templates. */
	libraries: fc.record({
		count: one(3, 0, 1, 10, 20, 30, 45),
		/** Null for the array itself, as in the specification. */
		page: fc.option(page(), { freq: 3 }),
		pageSize: one(10, 20),
		ids: one('uuid', 'number'),
		nameField: one('name', 'title', 'display_name'),
	}),
	tasks: fc.record({
		count: one(3, 0, 1, 19, 20, 21, 45, 100, 101, 230),
		page: page('tasks'),
		status: one('text', 'upper case', 'number'),
		priority: one('text', 'upper case', 'number'),
		/** The field that a single task is in. */
		envelope: one(null, 'task', 'data'),
		/** Whether a task shows its flags `archived` and `draft`. */
		showsFlags: fc.boolean(),
		linkedItems: one('absent', 'null', 'ids', 'objects'),
		assignees: one('ids', 'objects', 'null'),
	}),
	questions: fc
		.record({
			ids: one('uuid', 'prefixed', 'symbols'),
			/** Whether the first question of a session has the session's id. */
			firstHasSessionId: fc.boolean(),
			outcome: one('completed', 'completed', 'error', 'filtered'),
			answer: fc.oneof(
				one(
					'Clause 7 deviates.',
					'',
					'={{ $json.id }} <b>“no”</b>\r\n\t✓',
					'# Title\n\n| a | b |\n|---|---|\n',
					'{"error_code":"x"}',
				),
				fc.string({ unit: 'grapheme', maxLength: 40 }),
				fc.constant(null),
			),
			reason: one(null, 'Not a legal question.'),
			/** The statuses shown one after another before the outcome, the first of them when it is asked. */
			before: fc
				.array(one('queued', 'pending', 'in_progress'), { maxLength: 3 })
				.map((more) => ['in_progress', ...more]),
			/** What `attachments` and `reason` are if they have nothing to say. */
			nothing: one('null', 'absent', 'empty'),
			attachments: fc.array(generatedFile, { maxLength: 3 }),
			/** Whether a synchronous question is answered within its 30 seconds. */
			answersInTime: fc.boolean(),
		})
		.map((style) =>
			style.outcome === 'completed' && style.answer === null
				? { ...style, answer: 'Done.' }
				: style,
		),
	callbacks: fc.record({
		signed: one(true, true, true, true, false),
		gzip: fc.boolean(),
		/** How often each comes; 0 drops it. */
		times: one(1, 1, 2, 0),
		/** Before the question itself is answered, right after, or later. */
		when: one('later', 'right after', 'before'),
		order: one('asked', 'reversed'),
	}),
	/** Where files are kept. */
	files: fc.record({
		/** Whether the store has the address of the service, or one of its own. */
		ownAddress: fc.boolean(),
		/** Which store's answer it gives once an address has expired. */
		expired: one(...(Object.keys(EXPIRED_ANSWERS) as (keyof typeof EXPIRED_ANSWERS)[])),
		/** The answer to an upload that went well. */
		uploaded: one(200, 201, 204),
		/** How the first address of an upload fails. */
		uploadTrouble: one('none', 'none', 'expired', 'server error', 'cut, stored', 'cut, not stored'),
		/** Whether files come in another order each time that a question is fetched. */
		shuffled: fc.boolean(),
		jobIds: one('uuid', 'symbols'),
	}),
};

type Value<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Of> ? Of : never;

/** A service that obeys the specification: plain JSON, which is printed if a test fails on it. */
export type ServiceDescription = {
	readonly [Part in keyof typeof parts]: Value<(typeof parts)[Part]>;
};
export type PageStyle = ServiceDescription['tasks']['page'];
export type GeneratedFileStyle = ServiceDescription['questions']['attachments'][number];

/** Any service; parts can be held to what a test is about. */
export function arbitraryService(
	held: Partial<typeof parts> = {},
): fc.Arbitrary<ServiceDescription> {
	return fc.record({ ...parts, ...held });
}

/** The parts of a service, for a test to narrow down. */
export const partsOfService: typeof parts = parts;

/** Services that have a task which is listed. */
export const withTasks: Pick<typeof parts, 'tasks'> = {
	tasks: parts.tasks.map((style) => ({ ...style, count: style.count || (1 as const) })),
};
