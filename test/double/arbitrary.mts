import fc from 'fast-check';

import type {
	CallbackStyle,
	GeneratedFileStyle,
	LibraryStyle,
	QuestionStyle,
	ServiceDescription,
	StoreStyle,
	TaskStyle,
	ValueStyle,
} from './description.mts';
import { cursor, link, noNext, pages } from './arbitraryPages.mts';
import { PLAIN } from './plain.mts';

const one = fc.constantFrom;

/** Rarely true, so that most services have a few oddities rather than all. */
const seldom = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const value = one<ValueStyle[]>('text', 'upper case', 'number');

const tasks: fc.Arbitrary<TaskStyle> = fc.record({
	count: one(3, 0, 1, 19, 20, 21, 45, 100, 101, 230),
	page: pages(
		'tasks',
		fc.oneof({ weight: 6, arbitrary: cursor }, { weight: 3, arbitrary: link }, { weight: 1, arbitrary: noNext }),
	),
	status: value,
	priority: value,
	envelope: one<(readonly string[])[]>([], ['task'], ['data']),
	showsFlags: fc.boolean(),
	flagFilters: fc.constant('only'),
	linkedItems: one('absent', 'null', 'ids', 'objects'),
	assignees: one('ids', 'objects', 'null'),
});

/** Bare, as the specification has it; wrapped whole; or in pages like the tasks. */
const libraries: fc.Arbitrary<LibraryStyle> = fc
	.record({
		count: one(3, 0, 1, 10, 20, 30, 45),
		page: fc.oneof(fc.constant(PLAIN.libraries.page), pages('items', cursor), pages('items', link), pages('items', noNext)),
		pageSize: one(0, 10, 20),
		takesLimit: fc.boolean(),
		cursorParameter: fc.constant('cursor'),
		refusesUnknownParameters: seldom,
		ids: one('uuid', 'number'),
		nameField: one('name', 'title', 'display_name'),
	})
	.map((style) => (style.page.list.length === 0 ? { ...style, pageSize: 0, takesLimit: false } : style));

const generatedFile: fc.Arbitrary<GeneratedFileStyle> = fc
	.record({
		name: one('Redline.docx', 'Übersicht (final).pdf', null, '../../etc/passwd', 'a/b.docx', 'notes'),
		contentType: one('application/pdf', null, 'text/plain; charset=utf-8', 'application/octet-stream'),
		size: one(1000, 0, 1, 17, 70_000, 300_001),
		announced: one(true, true, false),
		url: one('present', 'present', 'present', 'present', 'absent', 'null'),
		transfer: one('plain', 'chunked', 'gzip', 'redirect'),
		trouble: one('none', 'none', 'expired', 'cut', 'short', 'log-in page', 'server error'),
		troubleEachTime: seldom,
	})
	// Half of nothing is all of it; and half of what nobody has announced looks like all of it.
	.filter(({ size, announced, trouble }) => !['cut', 'short', 'log-in page'].includes(trouble) || (size > 1 && announced));

const questions: fc.Arbitrary<QuestionStyle> = fc
	.record({
	spelling: one('both', 'assistants'),
	unknownPath: one('error', 'html', 'framework', 'empty'),
	ids: one('uuid', 'prefixed', 'symbols'),
	firstHasSessionId: fc.boolean(),
	outcome: one('completed', 'completed', 'error', 'filtered'),
	answer: fc.oneof(
		one('Clause 7 deviates.', '', '={{ $json.id }} <b>“no”</b>\r\n\t✓', '# Title\n\n| a | b |\n|---|---|\n', '{"error_code":"x"}'),
		fc.string({ unit: 'grapheme', maxLength: 40 }),
		fc.constant(null),
	),
	reason: one(null, 'Not a legal question.'),
	before: fc
		.array(one('queued', 'pending', 'processing', 'in_progress', 'in_progress'), { maxLength: 3 })
		.map((more) => ['in_progress', ...more]),
	nothing: one('null', 'absent', 'empty'),
	attachments: fc.array(generatedFile, { maxLength: 3 }),
	noError: one('absent', 'empty', 'null', 'ok'),
	asking: fc.oneof(
		{ weight: 3, arbitrary: fc.constant('answered' as const) },
		{
			weight: 1,
			arbitrary: one('500, accepted', '500, not accepted', '504, accepted', 'cut, accepted', 'cut, not accepted'),
		},
	),
	sync: one('answer', 'in_progress', '504', '408', '400', '409', '422', 'cut'),
})
	.map((style) => (style.outcome === 'completed' && style.answer === null ? { ...style, answer: 'Done.' } : style));

const callbacks: fc.Arbitrary<CallbackStyle> = fc.record({
	signed: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
	header: one('Service-Signature', 'service-signature', 'SERVICE-SIGNATURE'),
	spaceAround: fc.boolean(),
	contentType: one('application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'),
	gzip: fc.boolean(),
	chunked: fc.boolean(),
	age: one(0, 0, 20),
	times: one(1, 1, 2, 3, 0),
	when: one('later', 'right after', 'before'),
	order: one('asked', 'reversed'),
});

const files: fc.Arbitrary<StoreStyle> = fc.record({
	ownAddress: fc.boolean(),
	expired: one(
		's3 403',
		's3 400 ExpiredToken',
		's3 403 RequestTimeTooSkewed',
		's3 400 RequestTimeTooSkewed',
		'azure 403',
		'azure 404',
		'plain 404',
		'plain 410',
	),
	uploaded: one(200, 201, 204),
	uploadTrouble: one('none', 'none', 'expired', 'server error', 'cut, stored', 'cut, not stored'),
	shuffled: fc.boolean(),
	jobIds: one('uuid', 'symbols'),
});

const parts = {
	seed: fc.integer({ min: 1, max: 9999 }),
	basePath: one('', '/tenant-7', '/legal/v2'),
	json: fc.record({
		contentType: one('application/json', 'application/json; charset=utf-8', 'application/vnd.legal+json', 'text/plain'),
		pretty: fc.boolean(),
		gzip: fc.boolean(),
		extraFields: fc.boolean(),
	}),
	errors: fc.record({
		body: one('general', 'error_code', 'svc_api_error_code', 'error and status', 'html', 'empty'),
		withStatus200: fc.constant(false),
		quotesRequest: fc.boolean(),
	}),
	throttling: fc.record({
		every: one(0, 0, 1, 2, 5),
		times: one(1, 2),
		retryAfter: one('seconds', 'date', 'absent'),
		body: one('general', 'own', 'html', 'empty'),
	}),
	outages: one(0, 0, 0, 2, 4),
	libraries,
	tasks,
	questions,
	callbacks,
	files,
} satisfies { [Part in keyof ServiceDescription]: fc.Arbitrary<ServiceDescription[Part]> };

/** Any service that obeys the specification; parts can be held to what a test is about. */
export function arbitraryService(held: Partial<typeof parts> = {}): fc.Arbitrary<ServiceDescription> {
	return fc.record({ ...parts, ...held });
}

/** The parts of a service, for a test to narrow down. */
export const partsOfService: typeof parts = parts;
