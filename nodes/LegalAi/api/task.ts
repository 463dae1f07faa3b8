import type { IDataObject } from 'n8n-workflow';

import type { LegalAiClient } from './client';
import { ApiFailure, type FailureFacts } from './failure';
import { isRecord, type JsonRecord } from './json';

/** Creates a task, once. */
export async function createTask(client: LegalAiClient, body: JsonRecord): Promise<IDataObject> {
	const answer = await client.request({ method: 'POST', subject: 'task', path: ['tasks'], body, repetition: 'once' });
	return readTask(answer, { mayHaveBeenAccepted: true });
}

/** Fetches one task. */
export async function getTask(client: LegalAiClient, taskId: string): Promise<IDataObject> {
	return readTask(await client.request({ method: 'GET', subject: 'task', path: ['tasks', taskId] }));
}

/** Changes the fields of a task that the body has, and no others. */
export async function updateTask(client: LegalAiClient, taskId: string, body: JsonRecord): Promise<IDataObject> {
	return readTask(await client.request({ method: 'PATCH', subject: 'task', path: ['tasks', taskId], body }));
}

/**
 * Reads a task: the answer itself, or what it holds in `task` or `data`.
 *
 * @throws {ApiFailure} `unreadable` where none of them has an id
 */
export function readTask(answer: unknown, facts: FailureFacts = {}): IDataObject {
	const places = isRecord(answer) ? [answer, answer.task, answer.data] : [];
	const task = places.filter(isRecord).find(({ id }) => typeof id === 'string' && id !== '');
	if (task === undefined) {
		throw new ApiFailure('unreadable', { subject: 'task', serviceMessage: 'a task without an id', ...facts });
	}
	return task as IDataObject;
}
