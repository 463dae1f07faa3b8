/**
 * A service that obeys the specification of the API, and how it fills in what that specification leaves open. Plain
 * JSON: a description that a test failed on can be printed, and pasted into a regression case.
 */
export interface ServiceDescription {
	/** Makes the service's records, file contents and cursors differ from those of another seed. */
	readonly seed: number;
	/** What comes before `/api/v1` in the base address. */
	readonly basePath: string;
	readonly json: JsonStyle;
	readonly errors: ErrorStyle;
	readonly throttling: Throttling;
	/** Each request after so many that may be sent again gets a 503; 0 answers all. */
	readonly outages: number;
	readonly libraries: LibraryStyle;
	readonly tasks: TaskStyle;
	readonly questions: QuestionStyle;
	readonly callbacks: CallbackStyle;
	readonly files: StoreStyle;
}

/** How a body is written down. */
export interface JsonStyle {
	readonly contentType: string;
	readonly pretty: boolean;
	/** Whether answers are zipped for clients that say they can read that. */
	readonly gzip: boolean;
	/** Whether objects carry fields that no page of the specification names. */
	readonly extraFields: boolean;
}

/** How the service says no. */
export interface ErrorStyle {
	readonly body: 'general' | 'error_code' | 'svc_api_error_code' | 'error and status' | 'html' | 'empty';
	/** Whether an error comes with status 200, its body saying what is wrong. Not with a body that is none. */
	readonly withStatus200: boolean;
	/** Whether the message repeats what it was sent: the key, the address. */
	readonly quotesRequest: boolean;
}

/** When requests are refused with 429. */
export interface Throttling {
	/** Each n-th request; 0 refuses none. */
	readonly every: number;
	/** How many times in a row. */
	readonly times: number;
	readonly retryAfter: 'seconds' | 'date' | 'absent';
	readonly body: 'general' | 'own' | 'html' | 'empty';
}

/** How a list is put into pages. */
export interface PageStyle {
	/** The fields that lead to the list; none where the body is the list. */
	readonly list: readonly string[];
	/** What leads to the next page. */
	readonly next: NextPage;
	/** What stands there on the last page; `kept` leaves the last cursor, and only the flag tells. */
	readonly atEnd: 'null' | 'absent' | 'empty' | 'kept';
	/** The fields that lead to a flag that tells whether there is more. */
	readonly flag: readonly string[] | null;
	/** The fields that lead to the number of all records. */
	readonly total: readonly string[] | null;
	/** Other things beside the list: a count of this page, the cursor that was sent, a list of something else. */
	readonly beside: readonly ('count' | 'limit' | 'current cursor' | 'previous cursor' | 'empty list' | 'other list')[];
	/** How full the pages are, one after another and over again; 1 is as full as asked for. */
	readonly fill: readonly number[];
}

export type NextPage =
	| { readonly kind: 'cursor'; readonly at: readonly string[]; readonly value: 'text' | 'symbols' | 'number' }
	| {
			readonly kind: 'link';
			readonly at: readonly string[];
			readonly form: 'absolute' | 'path' | 'query' | 'elsewhere';
			/** Whether the link carries the query of the request too, or the cursor alone. */
			readonly whole: boolean;
	  }
	/** Nothing leads on: only a flag or a total says that there is more. */
	| { readonly kind: 'none' };

/** How assistants, playbooks and templates are listed. */
export interface LibraryStyle {
	readonly count: number;
	readonly page: PageStyle;
	/** How many a page holds; 0 puts all on one. */
	readonly pageSize: number;
	/** Whether `limit` changes that. */
	readonly takesLimit: boolean;
	/** The query parameter that the cursor is expected in. */
	readonly cursorParameter: string;
	/** Whether a query parameter that it does not know is an error, or ignored. */
	readonly refusesUnknownParameters: boolean;
	readonly ids: 'uuid' | 'number';
	readonly nameField: 'name' | 'title' | 'display_name';
}

export interface TaskStyle {
	readonly count: number;
	readonly page: PageStyle;
	readonly status: ValueStyle;
	readonly priority: ValueStyle;
	/** The fields that lead to the task where one task is the answer. */
	readonly envelope: readonly string[];
	/** Whether a task shows its flags `archived` and `draft`. */
	readonly showsFlags: boolean;
	/** What `archived=true` and `draft=true` do to the list. */
	readonly flagFilters: 'only' | 'include' | 'ignored';
	readonly linkedItems: 'absent' | 'null' | 'ids' | 'objects';
	readonly assignees: 'ids' | 'objects' | 'null';
}

/** How a status or a priority is written. */
export type ValueStyle = 'text' | 'upper case' | 'number' | 'object with name' | 'object with label';

export interface QuestionStyle {
	/** Which of the two spellings of its paths it knows. */
	readonly spelling: 'both' | 'assistants' | 'agents';
	/** What it answers at a path that it does not know. */
	readonly unknownPath: 'error' | 'html' | 'framework' | 'empty';
	readonly ids: 'uuid' | 'prefixed' | 'symbols';
	/** Whether the first question of a session has the session's id. */
	readonly firstHasSessionId: boolean;
	readonly outcome: 'completed' | 'error' | 'filtered';
	readonly answer: string | null;
	readonly reason: string | null;
	/** The statuses shown one after another before the outcome, the first of them as the answer to asking. */
	readonly before: readonly string[];
	/** What stands in `attachments` and `reason` where they have nothing to say. */
	readonly nothing: 'null' | 'absent' | 'empty';
	readonly attachments: readonly GeneratedFileStyle[];
	/** What a question that is fine carries as `error_code` and `message`. */
	readonly noError: 'absent' | 'empty' | 'null' | 'ok';
	/** What becomes of the request that asks. */
	readonly asking: 'answered' | '500, accepted' | '500, not accepted' | '504, accepted' | 'cut, accepted' | 'cut, not accepted';
	/** What a synchronous question that takes longer than 30 seconds gets; it is accepted. */
	readonly sync: 'answer' | 'in_progress' | '504' | '408' | '400' | '409' | '422' | 'cut';
}

export interface CallbackStyle {
	readonly signed: boolean;
	/** How the name of the signature's header is spelled. */
	readonly header: string;
	readonly spaceAround: boolean;
	readonly contentType: string;
	readonly gzip: boolean;
	readonly chunked: boolean;
	/** Seconds that have gone since it was signed. */
	readonly age: number;
	/** How often each comes; 0 drops it. */
	readonly times: number;
	/** Before the question itself is answered, right after, or later. */
	readonly when: 'before' | 'right after' | 'later';
	readonly order: 'asked' | 'reversed';
}

/** A file that comes with an answer. */
export interface GeneratedFileStyle {
	readonly name: string | null;
	readonly contentType: string | null;
	readonly size: number;
	/** Whether `content_length` says so; null otherwise. */
	readonly announced: boolean;
	readonly url: 'present' | 'absent' | 'null';
	readonly transfer: 'plain' | 'chunked' | 'gzip' | 'redirect';
	/** What goes wrong with its download: the first time, or each time. */
	readonly trouble: 'none' | 'expired' | 'cut' | 'short' | 'log-in page' | 'server error';
	readonly troubleEachTime: boolean;
}

/** Where files are kept. */
export interface StoreStyle {
	/** Whether the store has the address of the service, or one of its own. */
	readonly ownAddress: boolean;
	/** What it answers once an address has expired. */
	readonly expired:
		| 's3 403'
		| 's3 400 ExpiredToken'
		| 's3 403 RequestTimeTooSkewed'
		| 's3 400 RequestTimeTooSkewed'
		| 'azure 403'
		| 'azure 404'
		| 'plain 404'
		| 'plain 410';
	/** The answer to an upload that went well. */
	readonly uploaded: 200 | 201 | 204;
	/** How the first address of an upload fails. */
	readonly uploadTrouble: 'none' | 'expired' | 'server error' | 'cut, stored' | 'cut, not stored';
	/** Whether files come in another order each time that a question is looked at. */
	readonly shuffled: boolean;
	/** How ids of upload jobs look. */
	readonly jobIds: 'uuid' | 'symbols';
}
