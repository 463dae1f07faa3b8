import type { INodeExecutionData } from 'n8n-workflow';

import type { Question, Sandbox } from '../../sandbox/sandbox.mts';
import { storeBinary } from '../engine/engine.mts';
import type { Execution } from '../engine/execution.mts';
import { sha256 } from '../engine/files.mts';
import type { Wait } from './wait.mts';

/*
 * Items that differ in nothing but what their files say: which of them was asked, and whose answer came out, is told by the bytes that the
 * service got.
 */

/** The file that says that. */
export const createContract = (whose: string) => Buffer.from(`%PDF-1.7 The contract of ${whose}`);

/** An item with the contract of somebody: all are named alike, and if the names of their parties are as long, they are as long. */
export async function itemWithContract(
	whose: string,
	json: INodeExecutionData['json'] = { words: 'Review this' },
): Promise<INodeExecutionData> {
	return {
		json,
		binary: { data: await storeBinary(createContract(whose), { fileName: 'contract.pdf' }) },
	};
}

/** One for each of them. */
export async function itemsWithContracts(parties: readonly string[]) {
	return await Promise.all(parties.map((whose) => itemWithContract(whose)));
}

/** Whose contracts a question was asked with. */
export function findContracts({ attachments }: Question, parties: readonly string[]) {
	const names = new Map(parties.map((whose) => [sha256(createContract(whose)), whose]));
	return attachments.map((file) =>
		file.kind === 'upload' ? (names.get(file.sha256) ?? 'an unknown file') : file.url,
	);
}

/** Whose contracts were asked about, in the order in which the service accepted them. */
export function askedAbout({ questions }: Pick<Sandbox, 'questions'>, parties: readonly string[]) {
	return questions.flatMap((question) => findContracts(question, parties));
}

/** The service answers all that it was asked, each about its own files; callbacks are dropped. */
export async function answerAbout({ service, clock }: Wait, parties: readonly string[]) {
	service.callbackFaults.drop = true;
	for (const question of service.questions.filter(({ status }) => status === 'in_progress')) {
		const answer = `${question.text.split(' ')[0]}: ${findContracts(question, parties).join()}`;
		await clock.settle(service.complete(question.id, { answer }));
	}
	service.callbackFaults.drop = false;
}

/** What came out for each item: its answer, else "error". */
export function outcomes({ json }: Execution) {
	return json.map(({ error, answer }) => (error === undefined ? answer : 'error'));
}
