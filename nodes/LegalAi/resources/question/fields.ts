import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { DEFAULT_REQUESTS_AT_ONCE } from '../../api/client';
import { downloadFilesOption, outputPrefixOption } from '../../files/downloadOptions';
import { playbookLocator, templateLocator } from '../../lookups/locators';

/** The words of the question. */
export const questionText: INodeProperties = {
	displayName: 'Question',
	name: 'question',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Which clauses of the attached contract deviate from our playbook?',
	description:
		'What you want to know or have done, in your own words, up to 10,000 characters. For a review, summary or redline, attach the contract.',
};

/** What else may be said with a question. */
export const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: [
		{ ...playbookLocator, description: 'The playbook to review against. It is written into the question, after your words.' },
		{
			displayName: 'Session ID',
			name: 'sessionId',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.session_id }}',
			description:
				'Session (conversation) to go on with, from an earlier answer. While its previous question is being answered, this one waits.',
		},
		{ ...templateLocator, description: 'The template to draft from. It is written into the question, after your words.' },
		{
			displayName: 'Visibility',
			name: 'visibility',
			type: 'options',
			default: 'private',
			description: 'Who may see the session in the web application',
			options: [
				{ name: 'Organization', value: 'organization', description: 'Everybody in your organisation' },
				{ name: 'Private', value: 'private', description: 'You alone' },
				{ name: 'Public', value: 'public', description: 'Everybody who has the link' },
			],
		},
	],
};

/** Which question it is, for the operations on one that was asked before. */
export const questionId: INodeProperties = {
	displayName: 'Question ID',
	name: 'questionId',
	type: 'string',
	default: '={{ $json.id }}',
	required: true,
	placeholder: 'e.g. 3f1c9a52-7a0e-4b39-9a53-0d8c0c6f2b11',
	description:
		'The ID that came out when the question was asked. An input item that is this question brings its assistant along.',
};

/** How an answer is waited for. */
export const waitUsing: INodeProperties = {
	displayName: 'Wait Using',
	name: 'waitUsing',
	type: 'options',
	noDataExpression: true,
	default: 'callback',
	description: 'How the node learns that the answer is there',
	options: [
		{
			name: 'Callback',
			value: 'callback',
			description: 'Park the execution until the service calls back. Holds no worker; needs an n8n that the service can reach.',
		},
		{
			name: 'Polling',
			value: 'polling',
			description: 'Look again and again. Works everywhere, but holds a worker for minutes.',
		},
		{
			name: 'Sync',
			value: 'sync',
			description: 'Wait within the request itself. For trying things out: the service gives it 30 seconds.',
		},
	],
};

/** How long an answer is waited for. */
export const maxWait: INodeProperties = {
	displayName: 'Max Wait (Minutes)',
	name: 'maxWait',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 30,
	description:
		'How long to wait for the answer; most take 2 to 5 minutes. After that the question comes out unanswered, with "timed_out" set to true.',
};

const outcomes: INodePropertyOptions[] = [
	{ name: 'Output It', value: 'output', description: 'The item comes out with status "error" and the message as its answer' },
	{ name: 'Fail the Item', value: 'fail', description: 'The item fails with the message' },
];

/** How answers come out; the same for all operations on questions. */
export const answerOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		downloadFilesOption,
		{
			displayName: 'If Answering Does Not Succeed',
			name: 'onErrorStatus',
			type: 'options',
			noDataExpression: true,
			default: 'output',
			description: 'What to do with a question that the service ends with status "error"',
			options: outcomes,
		},
		outputPrefixOption,
		{
			displayName: 'Requests at Once',
			name: 'requestsAtOnce',
			type: 'number',
			noDataExpression: true,
			typeOptions: { minValue: 1, maxValue: 20 },
			default: DEFAULT_REQUESTS_AT_ONCE,
			description: 'How many requests of this run go side by side when there are several items',
		},
	],
};
