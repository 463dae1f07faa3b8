import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { getQuestion, isTerminal } from '../../api/question';
import { downloadFile, downloadGeneratedFiles } from '../../files/download';
import { isWebAddress } from '../../files/fileStore';
import { assistantLocator } from '../../lookups/locators';
import type { Operation, Run, Work } from '../../operation';
import { readText, refusal } from '../../parameters';
import { questionId } from '../question/fields';
import { readQuestionAsked } from '../question/questionAsked';

const fromQuestion = { show: { downloadFrom: ['question'] } };

const downloadFrom: INodeProperties = {
	displayName: 'Download From',
	name: 'downloadFrom',
	type: 'options',
	default: 'url',
	description: 'Where the file is to be had',
	options: [
		{
			name: 'Question',
			value: 'question',
			description: 'Every file that came with an answer, at addresses that are asked for anew',
		},
		{ name: 'URL', value: 'url', description: 'The address of one file' },
	],
};

const url: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	default: '',
	required: true,
	displayOptions: { show: { downloadFrom: ['url'] } },
	placeholder: 'e.g. {{ $json.attachments[0].url }}',
	description: 'Address of a generated file, good for 24 hours, or of any public file. Your API key is not sent there.',
};

const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in; the files of a question get _0, _1 and so on after it',
};

/** GET a presigned or public address into the item, or every file that came with an answer. */
export const download: Operation = {
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download file',
		description: 'Fetch redlines, drafts and other files that came with an answer',
	},
	fields: [
		downloadFrom,
		url,
		{ ...assistantLocator, displayOptions: fromQuestion },
		{ ...questionId, displayOptions: fromQuestion },
		binaryPropertyName,
	],
	plan: (run, itemIndex) => {
		const fieldName = readText(run, 'binaryPropertyName', itemIndex);
		if (fieldName === '') {
			throw refusal(run, itemIndex, "'Put Output File in Field' is empty", 'Enter a name for the binary field, e.g. data.');
		}
		return run.context.getNodeParameter('downloadFrom', itemIndex, 'url') === 'question'
			? planQuestion(run, itemIndex, fieldName)
			: planAddress(run, itemIndex, fieldName);
	},
};

function planAddress(run: Run, itemIndex: number, fieldName: string): Work {
	const { context, client } = run;
	const address = readText(run, 'url', itemIndex);
	if (!isWebAddress(address)) {
		throw refusal(
			run,
			itemIndex,
			address === '' ? "'URL' is empty" : `'URL' is not a web address: ${address.slice(0, 100)}`,
			'Enter the address in full, e.g. {{ $json.attachments[0].url }} of an answer that came with files.',
		);
	}
	const item = context.getInputData()[itemIndex];
	return {
		perform: async () => {
			const binary = await downloadFile(context, client, { url: address });
			return [{ json: item?.json ?? {}, binary: { ...item?.binary, [fieldName]: binary } }];
		},
	};
}

function planQuestion(run: Run, itemIndex: number, fieldName: string): Work {
	const { context, client } = run;
	const asked = readQuestionAsked(run, itemIndex);
	return {
		perform: async (): Promise<INodeExecutionData[]> => {
			const question = await getQuestion(client, asked.assistantId, asked.questionId);
			if (!isTerminal(question)) {
				throw refusal(
					run,
					itemIndex,
					'The question has no answer yet',
					"Wait for it first, e.g. with the operation 'Wait for Answer' of the resource 'Question'.",
				);
			}
			const binary = await downloadGeneratedFiles(context, client, question, `${fieldName}_`);
			if (Object.keys(binary).length === 0) run.hint('The answer came without files.');
			return [{ json: question, binary }];
		},
	};
}
