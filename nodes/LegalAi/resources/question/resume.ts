import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { LegalAiClient } from '../../api/client';
import { toNodeError } from '../../api/errors';
import { getQuestion, isTerminal, readQuestion, type Question } from '../../api/question';
import { HeardAnswers } from '../../callbacks/heardAnswers';
import { failResumedNode, readParkedItems } from '../../callbacks/parking';
import { readCallback, readRawBody } from '../../callbacks/payload';
import { checkSignature, readWebhookSecret } from '../../callbacks/signature';
import { continuesOnFail, failedItem } from '../../run';
import { answerItem, readAnswerOptions } from './answer';
import { pendingQuestion } from './pendingQuestion';

/** How long the service is asked about questions that are still out, in ms: the callback's sender is waiting. */
const LOOK_UP_MS = 20_000;

const heard = new HeardAnswers();

/**
 * Takes a callback for an execution that is parked at this node. Nothing is believed that was not signed with the
 * webhook secret; without a secret in the credential the callback only rings, and the question is fetched with
 * the key. The execution stays parked until all its questions are final; then all its items come out at once.
 *
 * Which of the other questions are final is asked from the last one backwards until one is not: a look-up either
 * settles a question or ends the round, so there are at most two for each question, however many callbacks drop.
 */
export async function resume(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const say = (status: number, words: IDataObject): IWebhookResponseData => {
		this.getResponseObject().status(status).json(words);
		return { noWebhookResponse: true };
	};

	const body = readRawBody(this);
	const secret = readWebhookSecret(await this.getCredentials('legalAiApi'));
	const signature = this.getHeaderData()['service-signature'];
	if (secret !== '' && checkSignature(signature, body, secret, Date.now()) !== 'valid') {
		return say(401, { error_code: 'invalid_signature', message: 'The signature does not belong to this callback.' });
	}

	const received = readCallback(body);
	if ('obstacle' in received) return say(400, { error_code: 'invalid_payload', message: received.obstacle });
	const { payload } = received;

	const items = readParkedItems(this);
	const pending = items.map(pendingQuestion).filter((question) => question !== undefined);
	const asked = pending.find(({ id }) => id === payload.id);
	if (asked === undefined) return say(200, { message: 'This execution does not wait for that question.' });

	const parking = `${this.getExecutionId()} ${pending[0]?.id}`;
	const client = await LegalAiClient.create(this);
	const deadline = Date.now() + LOOK_UP_MS;
	const look = async ({ id, assistant_id }: Question) => await getQuestion(client, assistant_id, id, deadline);
	try {
		const answer = secret === '' ? await look(asked) : readQuestion(payload, asked.assistant_id);
		if (isTerminal(answer)) heard.add(parking, answer);
		for (const other of [...pending].reverse()) {
			if (heard.of(parking).has(other.id)) continue;
			const question = await look(other);
			if (!isTerminal(question)) return say(200, { message: 'Taken. Other questions are still being answered.' });
			heard.add(parking, question);
		}
	} catch {
		return say(503, { message: 'The service could not be asked how the question stands.' });
	}

	const answers = new Map(heard.of(parking));
	if (!heard.claim(parking)) return say(200, { message: 'The execution goes on already.' });
	say(200, { message: 'Taken. The execution goes on.' });
	return { noWebhookResponse: true, workflowData: [await resumedItems(this, client, items, answers)] };
}

/** The parked items with their answers; one that fails fails the node, as it would have without parking. */
async function resumedItems(
	context: IWebhookFunctions,
	client: LegalAiClient,
	items: INodeExecutionData[],
	answers: ReadonlyMap<string, Question>,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const options = readAnswerOptions(context.getNodeParameter('options', {}));
	return await Promise.all(
		items.map(async (item, itemIndex) => {
			const answer = answers.get(String(item.json.id));
			if (answer === undefined) return item;
			try {
				return { ...(await answerItem(context, client, answer, options)), pairedItem: { item: itemIndex } };
			} catch (error) {
				const nodeError = toNodeError(node, error, itemIndex);
				if (!continuesOnFail(node)) failResumedNode(context, nodeError);
				return failedItem(nodeError, itemIndex);
			}
		}),
	);
}
