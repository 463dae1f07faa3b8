import type { IDataObject } from 'n8n-workflow';

import type { LegalAiClient } from './client';
import { ApiError } from './errors';
import { isRecord, type JsonRecord } from './json';
import { responseDetails } from '../messages/responseDetails';

/** A task: its fields are whatever the service has, beside the ID. */
export interface Task extends IDataObject {
	id: string;
}

/** Creates a task, once. */
export async function createTask(client: LegalAiClient, body: JsonRecord): Promise<Task> {
	return await client.request({ method: 'POST', subject: 'task', path: ['tasks'], body, idempotent: false }, readTask);
}

/** Fetches one task. */
export async function getTask(client: LegalAiClient, taskId: string): Promise<Task> {
	return await client.request({ method: 'GET', subject: 'task', path: ['tasks', taskId] }, readTask);
}

/** Changes the fields of a task that the body has, and no others. */
export async function updateTask(client: LegalAiClient, taskId: string, body: JsonRecord): Promise<Task> {
	return await client.request({ method: 'PATCH', subject: 'task', path: ['tasks', taskId], body }, readTask);
}

/**
 * Reads a task: the answer itself, or the object under `task` or `data` in it.
 *
 * @throws {ApiError} of kind `invalidResponse` if none of them has an id
 */
export function readTask(answer: unknown): Task {
	const task = isRecord(answer) ? [answer, answer.task, answer.data].find(hasId) : undefined;
	if (task === undefined) {
		throw new ApiError('invalidResponse', { serviceMessage: responseDetails.taskWithoutId });
	}
	return { ...(task as IDataObject), id: task.id };
}

function hasId(value: unknown): value is JsonRecord & { id: string } {
	return isRecord(value) && typeof value.id === 'string' && value.id !== '';
}
