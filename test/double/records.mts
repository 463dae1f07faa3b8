import type { Service } from '../sandbox/service.mts';
import { taskFilter } from '../sandbox/state/taskList.mts';
import type { Question } from '../sandbox/state/questions.mts';
import type { Task } from '../sandbox/state/tasks.mts';
import type { Json } from './pages.mts';
import { uuidOf } from './random.mts';
import type { ServiceDescription } from './services.mts';
import { reshapedAddress } from './store.mts';

const STATUSES = ['todo', 'in_progress', 'completed'] as const;
const PRIORITIES = ['urgent', 'high', 'low'] as const;
const EXTRA = {
	object: 'record',
	etag: 'W/"7f"',
	metadata: { source: { name: 'import', id: 7 }, data: [], next: null },
	_links: { self: { href: '/self' } },
	createdBy: null,
};
const NO_ERROR = { error_code: '', svc_api_error_code: null, message: 'OK', error: false };

/** The sandbox keeps texts alone: a number is kept with this before it. */
const NUMBER = 'number:';
export const kept = (value: unknown): unknown =>
	typeof value === 'number' ? `${NUMBER}${value}` : value;
const unkept = (value: unknown): unknown =>
	typeof value === 'string' && value.startsWith(NUMBER)
		? Number(value.slice(NUMBER.length))
		: value;

export const LIBRARIES = ['assistants', 'playbooks', 'templates'] as const;

/** The records of a service, as it shows them: the sandbox shows its tasks and questions so, too. */
export class Records {
	/** How often a question was looked at, by its ID in the sandbox. */
	readonly looks = new Map<string, number>();
	readonly #given = new Map<string, number>();
	readonly #description: ServiceDescription;
	readonly #service: Service;

	constructor(description: ServiceDescription, service: Service) {
		this.#description = description;
		this.#service = service;
		const [task, question] = [
			service.tasks.view.bind(service.tasks),
			service.questions.view.bind(service.questions),
		];
		service.tasks.view = (each) => this.#task(task(each));
		service.questions.view = (each) => this.#question(each, question(each));
		this.#fill();
	}

	#task({
		archived,
		draft,
		linked_items: links,
		assignees,
		status,
		priority,
		...fields
	}: Json): Json {
		const { tasks, json } = this.#description;
		const people = Array.isArray(assignees) ? (assignees as Json[]) : [];
		const isEmpty = Array.isArray(links) && links.length === 0;
		return {
			...fields,
			...{ status: unkept(status), priority: unkept(priority) },
			...(isEmpty && tasks.linkedItems === 'absent'
				? {}
				: { linked_items: isEmpty && tasks.linkedItems === 'null' ? null : links }),
			assignees: { null: null, ids: people.map(({ id }) => id), objects: people }[tasks.assignees],
			...(tasks.showsFlags ? { archived, draft } : {}),
			...(json.extraFields ? { ...EXTRA, data: {}, task: null, error: null, message: '' } : {}),
		};
	}

	/** The tasks that a query lists, in order. A filter by a number finds that number. */
	tasks(query: URLSearchParams = new URLSearchParams()): Json[] {
		const { tasks } = this.#service;
		const values = [...query].map(([name, value]) => [name, this.#filtered(name, value)] as const);
		return tasks
			.ordered()
			.filter(taskFilter(Object.fromEntries(values)))
			.map((task) => tasks.view(task));
	}

	#filtered(name: string, value: string): string {
		const { status, priority } = this.#description.tasks;
		const isNumber =
			(name === 'status' ? status : name === 'priority' ? priority : 'text') === 'number';
		return isNumber ? value.replace(/\d+/g, `${NUMBER}$&`) : value;
	}

	/** The records of a library, in order. */
	library(name: (typeof LIBRARIES)[number]): Json[] {
		const { libraries, json } = this.#description;
		return this.#service.organization[name].map(({ id, name: label }) => ({
			id: libraries.ids === 'number' && id !== 'default' ? Number(id) : id,
			[libraries.nameField]: label,
			...(json.extraFields ? { ...EXTRA, description: null, items: [], error_code: '' } : {}),
		}));
	}

	/** A question, in the status that it is in by now. */
	#question(question: Question, view: Json): Json {
		const { questions: style, json } = this.#description;
		const isOpen = view.status === 'in_progress';
		const nothing = {
			null: { attachments: null, reason: null },
			absent: {},
			empty: { attachments: [], reason: null },
		}[style.nothing];
		return {
			id: this.questionId(question.id),
			...{
				session_id: this.sessionId(question),
				session_url: view.session_url,
				answer: view.answer,
			},
			status: isOpen
				? (style.before[this.looks.get(question.id) ?? 0] ?? 'in_progress')
				: view.status,
			...nothing,
			...(question.generated.length > 0
				? { attachments: this.#attachments(question, view.attachments as Json[]) }
				: {}),
			...(view.status === 'filtered' ? { reason: view.reason } : {}),
			...(json.extraFields
				? {
						object: 'question',
						usage: { tokens: 812 },
						url: null,
						data: null,
						questions: [],
						...NO_ERROR,
					}
				: {}),
		};
	}

	questionId(id: string): string {
		return { uuid: id, prefixed: `q_${id}.v1`, symbols: `${id}+/=&?#% "ü` }[
			this.#description.questions.ids
		];
	}

	/** Null if it was declined. */
	sessionId({ sessionId }: Question): string | null {
		if (sessionId === undefined) return null;
		return this.#description.questions.firstHasSessionId
			? this.questionId(sessionId)
			: `s-${sessionId}`;
	}

	jobId(id: unknown): string {
		return this.#description.files.jobIds === 'uuid' ? String(id) : `${String(id)}+/=&?#% "ü`;
	}

	#attachments({ id, generated }: Question, views: readonly Json[]): Json[] {
		const { questions, files } = this.#description;
		const described = views.map((view, index): Json => {
			const [style, file = ''] = [questions.attachments[index], generated[index]];
			if (style === undefined) throw new Error(`File ${index} is not described`);
			const given = (this.#given.get(file) ?? 0) + 1;
			this.#given.set(file, given);
			return {
				...{ file_name: style.name, content_type: style.contentType },
				content_length: { size: style.size, null: null, zero: 0 }[style.announced],
				...{ present: { url: reshapedAddress(view.url, given) }, null: { url: null }, absent: {} }[
					style.url
				],
			};
		});
		return files.shuffled && (this.looks.get(id) ?? 0) % 2 === 1 ? described.reverse() : described;
	}

	#fill(): void {
		const { seed, libraries, tasks } = this.#description;
		const { organization } = this.#service;
		const {
			assistants: [general],
		} = organization;
		for (const name of LIBRARIES) {
			const records = Array.from({ length: libraries.count }, (_, index) => ({
				id: libraries.ids === 'number' ? String(4000 + index) : uuidOf(seed, `${name} ${index}`),
				name: `${name} ${index} – “Vertrag” & <more>`,
			}));
			if (name !== 'assistants') organization[name] = records;
			else
				organization.assistants = [
					...(general === undefined ? [] : [general]),
					...records.map((each) => ({ ...each, apiIntake: true, intake: null })),
				];
		}
		organization.user.user_name = seed % 2 === 0 ? null : 'Ada Park';
		this.#service.tasks.clear();
		for (let index = 0; index < tasks.count; index += 1)
			this.#service.tasks.create(taskOf(this.#description, index, organization.people.ada));
	}
}

function taskOf(
	{ seed, tasks }: ServiceDescription,
	index: number,
	person: string,
): Pick<Task, 'title'> & Partial<Task> {
	const id = uuidOf(seed, 'chat');
	return {
		title: `Task ${index}: review “NDA” & sign`,
		description: index % 2 === 0 ? 'Find <b>the</b> cap' : null,
		status: valueOf(tasks.status, STATUSES, index % 3),
		priority: valueOf(tasks.priority, PRIORITIES, index % 3),
		complete_by: index % 4 === 0 ? null : '2026-11-30T17:00:00.000Z',
		tags: index % 2 === 0 ? ['nda', 'supplier, new'] : [],
		assigned_to: index % 3 === 0 ? null : person,
		linked_items: {
			absent: [],
			null: [],
			ids: [id],
			objects: [{ type: 'chat', id, title: 'NDA' }],
		}[tasks.linkedItems],
		archived: index % 7 === 5,
		draft: index % 11 === 3,
	};
}

function valueOf(
	style: ServiceDescription['tasks']['status'],
	names: readonly string[],
	index: number,
): string {
	const name = names[index] ?? '';
	if (style === 'number') return `${NUMBER}${index + 1}`;
	return style === 'text' ? name : name.toUpperCase();
}
