import type { ServiceDescription } from './description.mts';

/** A service that does everything in the plainest way. */
export const PLAIN: ServiceDescription = {
	seed: 1,
	basePath: '',
	json: { contentType: 'application/json', pretty: false, gzip: false, extraFields: false },
	errors: { body: 'general', withStatus200: false, quotesRequest: false },
	throttling: { every: 0, times: 1, retryAfter: 'seconds', body: 'general' },
	outages: 0,
	libraries: {
		count: 3,
		page: {
			list: [],
			next: { kind: 'none' },
			atEnd: 'null',
			flag: null,
			total: null,
			beside: [],
			fill: [1],
		},
		pageSize: 0,
		takesLimit: false,
		cursorParameter: 'cursor',
		refusesUnknownParameters: false,
		ids: 'uuid',
		nameField: 'name',
	},
	tasks: {
		count: 3,
		page: {
			list: ['tasks'],
			next: { kind: 'cursor', at: ['next_cursor'], value: 'text' },
			atEnd: 'null',
			flag: null,
			total: null,
			beside: [],
			fill: [1],
		},
		status: 'text',
		priority: 'text',
		envelope: [],
		showsFlags: true,
		flagFilters: 'only',
		linkedItems: 'objects',
		assignees: 'ids',
	},
	questions: {
		spelling: 'both',
		unknownPath: 'error',
		ids: 'uuid',
		firstHasSessionId: true,
		outcome: 'completed',
		answer: 'Clause 7 deviates from the playbook.',
		reason: null,
		before: ['in_progress'],
		nothing: 'null',
		attachments: [],
		noError: 'absent',
		asking: 'answered',
		sync: 'answer',
	},
	callbacks: {
		signed: true,
		header: 'Service-Signature',
		spaceAround: false,
		contentType: 'application/json',
		gzip: false,
		chunked: false,
		age: 0,
		times: 1,
		when: 'later',
		order: 'asked',
	},
	files: {
		ownAddress: false,
		expired: 's3 403',
		uploaded: 200,
		uploadTrouble: 'none',
		shuffled: false,
		jobIds: 'uuid',
	},
};

/** What a description changes of {@link PLAIN}, part by part. */
export type Changes = {
	readonly [Part in keyof ServiceDescription]?: ServiceDescription[Part] extends object
		? Partial<ServiceDescription[Part]>
		: ServiceDescription[Part];
};

/** The plainest service but for some changes. */
export function described({ json, errors, throttling, libraries, tasks, questions, callbacks, files, ...rest }: Changes): ServiceDescription {
	return {
		...PLAIN,
		...rest,
		json: { ...PLAIN.json, ...json },
		errors: { ...PLAIN.errors, ...errors },
		throttling: { ...PLAIN.throttling, ...throttling },
		libraries: { ...PLAIN.libraries, ...libraries },
		tasks: { ...PLAIN.tasks, ...tasks },
		questions: { ...PLAIN.questions, ...questions },
		callbacks: { ...PLAIN.callbacks, ...callbacks },
		files: { ...PLAIN.files, ...files },
	};
}

/** What a description changes of {@link PLAIN}: what {@link described} makes it from. */
export function changesOf(description: ServiceDescription): Changes {
	const parts = Object.entries(description).flatMap(([part, value]: [string, unknown]) => {
		const changes = difference(Reflect.get(PLAIN, part), value);
		return changes === undefined ? [] : [[part, changes]];
	});
	return Object.fromEntries(parts) as Changes;
}

function difference(plain: unknown, value: unknown): unknown {
	if (JSON.stringify(plain) === JSON.stringify(value)) return undefined;
	if (typeof value !== 'object' || value === null || typeof plain !== 'object' || plain === null) return value;
	const changed = Object.entries(value).filter(([name, each]) => JSON.stringify(each) !== JSON.stringify(Reflect.get(plain, name)));
	return Object.fromEntries(changed);
}
