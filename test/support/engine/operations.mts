import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { resources } from '../../../nodes/LegalAi/resources/index.ts';
import type { Route } from '../../sandbox/requests.mts';
import type { Sandbox } from '../../sandbox/sandbox.mts';
import { ask } from '../sandboxForTests.mts';
import { ASK, CHECK } from '../wait/asking.mts';
import { binaryItem } from './engine.mts';

type Resources = typeof resources;

/** Every operation of the node, as `resource.operation`. */
type OperationName = {
	[Name in keyof Resources]: `${Name}.${Extract<keyof Resources[Name]['operations'], string>}`;
}[keyof Resources];

/** What an operation is run with, and the request of it that is to go wrong. */
export interface Probe {
	/** Where an operation sends several kinds of requests, which way it is run. */
	way?: string;
	route: Route;
	/** Whether that request may be sent again if it may have arrived. */
	idempotent: boolean;
	/** Whether it is the first request of the run, so that a wrong address in the credential strikes it. */
	first: boolean;
	/** Whether it only checks for an answer: what goes wrong with that means "not yet". */
	isCheck?: boolean;
	/** Puts into the service what the operation needs, and gives the parameters for it. */
	prepare(service: Sandbox): Promise<Prepared> | Prepared;
}

/** The parameters besides `resource` and `operation`, and the item that comes in. */
export interface Prepared {
	parameters: INodeParameters;
	item?: INodeExecutionData;
}

const repeatable = (
	route: Route,
	prepare: Probe['prepare'] = () => ({ parameters: {} }),
): Probe => ({
	route,
	idempotent: true,
	first: true,
	prepare,
});

const once = (route: Route, parameters: INodeParameters): Probe => ({
	route,
	idempotent: false,
	first: true,
	prepare: () => ({ parameters }),
});

const ofTask =
	(more: INodeParameters = {}): Probe['prepare'] =>
	(service) => {
		const [task] = service.tasks.ordered();
		return { parameters: { taskId: { __rl: true, mode: 'id', value: task?.id ?? '' }, ...more } };
	};

/** Every operation, each way in which it sends something. */
export const PROBES: Record<OperationName, Probe[]> = {
	'assistant.getAll': [repeatable('GET /assistants')],
	'file.upload': [
		{ ...repeatable('POST /files/upload-url', uploaded), way: 'address' },
		{ ...repeatable('PUT /storage/uploads/:job_id', uploaded), way: 'file', first: false },
	],
	'file.download': [
		{ ...repeatable('GET /storage/generated/:file_id', generatedFile), way: 'url', first: false },
		{ ...repeatable(CHECK, generatedQuestion), way: 'question' },
		{
			...repeatable('GET /storage/generated/:file_id', generatedQuestion),
			way: 'file of question',
			first: false,
		},
	],
	'playbook.getAll': [repeatable('GET /playbooks')],
	'question.ask': [once(ASK, { question: 'Is the cap usual?', options: { giveUpAfter: 3 } })],
	'question.askAndWait': [
		...['callback', 'sync'].map((waitUsing) => ({
			...once(ASK, {
				question: 'Is the cap usual?',
				options: { waitUsing, maxWait: 0, giveUpAfter: 3 },
			}),
			way: waitUsing,
		})),
		{
			...repeatable(CHECK, () => ({
				parameters: {
					question: 'Is the cap usual?',
					options: { waitUsing: 'polling', maxWait: 3 },
				},
			})),
			way: 'the checks',
			first: false,
			isCheck: true,
		},
	],
	'question.get': [repeatable(CHECK, (service) => pendingQuestion(service))],
	'question.waitForAnswer': [
		{
			...repeatable(CHECK, (service) => pendingQuestion(service, { options: { maxWait: 3 } })),
			isCheck: true,
		},
	],
	'task.acceptDraft': [repeatable('PATCH /tasks/:task_id', ofTask())],
	'task.archive': [repeatable('PATCH /tasks/:task_id', ofTask())],
	'task.create': [once('POST /tasks', { title: 'Review supplier NDA' })],
	'task.get': [repeatable('GET /tasks/:task_id', ofTask())],
	'task.getAll': [repeatable('GET /tasks')],
	'task.update': [
		repeatable('PATCH /tasks/:task_id', ofTask({ updateFields: { title: 'Review NDA' } })),
	],
	'task.waitForStatus': [
		repeatable(
			'GET /tasks/:task_id',
			ofTask({ statuses: ['approved'], options: { maxWait: 0, onNotReached: 'output' } }),
		),
	],
	'template.getAll': [repeatable('GET /templates')],
	'user.get': [repeatable('GET /me')],
};

async function uploaded() {
	return { parameters: {}, item: await binaryItem('%PDF-1.7', { fileName: 'nda.pdf' }) };
}

async function pendingQuestion(service: Sandbox, more: INodeParameters = {}) {
	const { id: questionId } = await ask(service, 'Is the cap usual?');
	return { parameters: { questionId, ...more } };
}

async function generatedQuestion(service: Sandbox) {
	const { id: questionId } = await ask(service, '[file] [now] Redline this.');
	await service.waitForQuestion(({ id, status }) => id === questionId && status === 'completed');
	return { parameters: { downloadFrom: 'question', questionId } };
}

function generatedFile({ files }: Sandbox) {
	const file = files.keepGenerated({
		fileName: 'redline.txt',
		contentType: 'text/plain',
		content: Buffer.from('Redline'),
	});
	return {
		parameters: { url: '={{ $json.url }}' },
		item: { json: { url: String(files.attachment(file).url) } },
	};
}
