import type { INodeParameters } from 'n8n-workflow';

/** The routes of questions, as the sandbox records them. */
export const ASK = 'POST /assistants/:assistant_id/questions';
export const CHECK = 'GET /assistants/:assistant_id/questions/:question_id';

/** The parameters of a node that asks what each item has in "words", and waits. */
export const asking: INodeParameters = {
	resource: 'question',
	operation: 'askAndWait',
	question: '={{ $json.words }}',
};

/** Items with a question each. */
export function questions(count: number): { json: { words: string } }[] {
	return Array.from({ length: count }, (_, index) => ({ json: { words: `Question ${index}` } }));
}
