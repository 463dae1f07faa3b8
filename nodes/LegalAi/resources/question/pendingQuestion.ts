import type { INodeExecutionData } from 'n8n-workflow';

import { readQuestion, type Question } from '../../api/question';

/** The question that an item carries, where its answer is still out. */
export function pendingQuestion({ json }: INodeExecutionData): Question | undefined {
	if (json.status !== 'in_progress' || typeof json.assistant_id !== 'string') return undefined;
	return readQuestion(json, json.assistant_id);
}
