import { priorityLocator } from '../../lookups/locators';
import type { Field } from './fields';
import { commaSeparated, dateTime, text, word } from './values';

/** What the list of tasks can be narrowed down by, at the service. */
export const taskFilters: Field[] = [
	{
		apiName: 'assigned_to',
		read: word,
		property: {
			displayName: 'Assigned To',
			name: 'assignedTo',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60',
			description: 'ID of the person who is responsible',
		},
	},
	{
		apiName: 'complete_by_from',
		read: dateTime,
		property: {
			displayName: 'Due From',
			name: 'completeByFrom',
			type: 'dateTime',
			default: '',
			description: 'Only tasks due then or later. Without an offset it is meant in the time zone of this workflow.',
		},
	},
	{
		apiName: 'complete_by_to',
		read: dateTime,
		property: {
			displayName: 'Due Until',
			name: 'completeByTo',
			type: 'dateTime',
			default: '',
			description: 'Only tasks due then or earlier. Without an offset it is meant in the time zone of this workflow.',
		},
	},
	{
		apiName: 'involving',
		read: word,
		property: {
			displayName: 'Involving',
			name: 'involving',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60',
			description: 'ID of a person who is responsible for the task, created it, or has it shared with them',
		},
	},
	{
		apiName: 'priority',
		read: word,
		property: { ...priorityLocator, description: 'Only tasks of this priority. The list shows what your tasks have.' },
	},
	{
		apiName: 'query',
		read: text,
		property: {
			displayName: 'Search',
			name: 'query',
			type: 'string',
			default: '',
			placeholder: 'e.g. supplier NDA',
			description: 'Words to look for in title, description, additional context and comments',
		},
	},
	{
		apiName: 'status',
		read: commaSeparated,
		property: {
			displayName: 'Status',
			name: 'status',
			type: 'string',
			default: '',
			placeholder: 'e.g. open, in_progress',
			description: 'Only tasks with one of these statuses, with commas in between',
		},
	},
	{
		apiName: 'tags',
		read: commaSeparated,
		property: {
			displayName: 'Tags',
			name: 'tags',
			type: 'string',
			default: '',
			placeholder: 'e.g. nda, supplier',
			description: 'Only tasks with these labels, with commas in between',
		},
	},
	{
		apiName: 'team_id',
		read: word,
		property: {
			displayName: 'Team ID',
			name: 'teamId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 9b54c0d6-b82a-4375-ae19-cfd4e3526b70',
			description: 'Only tasks of this team',
		},
	},
];
