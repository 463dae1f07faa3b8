import type { IBinaryKeyData, INodeParameters, INodeProperties } from 'n8n-workflow';

import { toProperties } from '../../nodes/LegalAi/fields/field.ts';
import { findOperation } from '../../nodes/LegalAi/resources/index.ts';
import { readPassedAlong } from '../../nodes/LegalAi/trigger/address.ts';
import { PROBES } from '../support/engine/operations.mts';
import { ASK, CHECK, runOn, type Sandbox, test } from '../support/fixtures.mts';

/** What a field needs to make a difference, where its description does not say it. */
interface Situation {
	change?: (service: Sandbox) => void;
	parameters?: INodeParameters;
	/** The files of the item, by their fields. */
	files?: IBinaryKeyData;
	values?: string[];
}

/** Questions have ended when they are asked or checked, all or all but the first, with a file of 1.5 MB. */
const ended =
	(status: string, skip = 0, answer = 'Yes.') =>
	({ faults, files }: Sandbox) => {
		const content = Buffer.alloc(1.5 * 1024 * 1024, 'x');
		const file = { fileName: 'redline.txt', contentType: 'text/plain', content };
		const attachments = [files.attachment(files.keepGenerated(file))];
		faults.add({
			kind: 'body',
			match: ({ route }) => route === ASK || route === CHECK,
			skip,
			times: Infinity,
			status: 200,
			body: (body) =>
				JSON.stringify({
					id: 'q',
					...(JSON.parse(body) as object),
					status,
					answer,
					attachments,
				}),
		});
	};

const file = (fileName: string) => ({ data: 'eA==', mimeType: '', fileName });
const twoFiles = { data: file('nda.txt'), annex: file('annex.txt') };
const answered = { change: ended('completed') };
const downloading = { downloadFrom: 'question', questionId: 'q', options: { downloadFiles: true } };
const allFiles = { attachments: { attachment: [{ source: 'allBinary' }] } };
const inputFields = { values: ['data', 'annex'] };

const SITUATIONS: Record<string, Situation> = {
	returnAll: { parameters: { limit: 1 } },
	statuses: { parameters: { options: { onNotReached: 'fail' } } },
	assistantId: { parameters: { questionId: 'q' } },
	url: { values: ['={{ $json.url }}', '={{ $json.url }}&other'] },
	binaryPropertyName: inputFields,
	callbackTarget: { parameters: { callbackUrl: 'https://example.com', callbackWorkflow: 'w' } },
	'attachments.attachment.binaryPropertyName': inputFields,
	'attachments.attachment.unzip': { files: { data: file('contracts.zip') } },
	'answerFields.field.required': answered,
	'options.downloadFiles': answered,
	'options.maxFileSize': { ...answered, parameters: downloading },
	'options.outputPrefix': { ...answered, parameters: downloading },
	'options.onNoAnswer': { change: ended('error') },
	'options.checkQuotes': {
		change: ended('completed', 0, '{"Place": "shall pay the fees"}'),
		parameters: { answerFields: { field: [{ name: 'Place', type: 'quote' }] } },
		values: ['The Buyer shall pay the fees.', 'The Buyer may pay.'],
	},
	'options.noFileFound': { parameters: allFiles, files: {} },
	'options.unsupportedFiles': { parameters: allFiles, files: { data: file('setup.exe') } },
	'options.giveUpAfter': {
		change: ({ faults }) => {
			faults.add({ status: 429, headers: { 'retry-after': '30' }, match: ASK });
		},
	},
	'options.maxWait': { change: ended('completed', 1) },
	'options.waitUsing': {
		// Only a synchronous question has its answer: whether a check finds one would depend on who is quicker.
		change: ({ settings, faults }) => {
			settings.answerTime = [0, 0];
			faults.add({ status: 404, body: 'Gone', match: CHECK, times: Infinity });
		},
	},
};

/** The example in a field, and another one. */
function makeTwoTexts(placeholder = ''): [string, string] {
	const example = placeholder.replace(/^e\.g\. /, '') || 'word';
	return [example, example.replace(/.$/, (last) => (last === '1' ? '2' : '1'))];
}

function listValues(field: INodeProperties) {
	const { type, placeholder, typeOptions: { minValue = 0 } = {}, options = [], modes = [] } = field;
	const listed = options.flatMap((option) => ('value' in option ? [option.value] : []));
	if (type === 'boolean') return [true, false];
	if (type === 'number') return [minValue, minValue + 1];
	if (type === 'dateTime') return ['2040-01-01', '2041-01-01'];
	if (type === 'json') return ['[{ "id": "1" }]', '[{ "id": "2" }]'];
	if (type === 'options') return listed;
	if (type === 'multiOptions')
		return (listed.length > 0 ? listed : makeTwoTexts()).map((value) => [value]);
	if (type !== 'resourceLocator') return makeTwoTexts(placeholder);
	return modes
		.filter(({ name }) => name !== 'list')
		.flatMap(({ name: mode, placeholder: example }) =>
			makeTwoTexts(example).map((value) => ({ __rl: true, mode, value })),
		);
}

/** A field of an operation, its values, and the parameters of the node that have one of them. */
interface Case {
	path: string;
	values: unknown[];
	parametersWith: (value: unknown) => INodeParameters;
}

/** The fields of an operation, and of its collections. Those for tools alone are the same in other words. */
function listCases(
	fields: INodeProperties[],
	within = '',
	place = (parameters: INodeParameters) => parameters,
): Case[] {
	return fields.flatMap((field) => {
		const { name, type, options = [], displayOptions: { show = {} } = {} } = field;
		if ('@tool' in show) return [];
		const path = within + name;
		const shown = Object.entries(show).map(([other, values]) => [other, values?.[0]]);
		const parametersWith = (value: unknown) =>
			place(Object.fromEntries([...shown, [name, value]]) as INodeParameters);
		if (type === 'collection')
			return listCases(options as INodeProperties[], `${path}.`, parametersWith);
		if (type !== 'fixedCollection')
			return [{ path, values: SITUATIONS[path]?.values ?? listValues(field), parametersWith }];
		return options.flatMap((group) => {
			if (!('values' in group)) return [];
			const others = group.values.map((other) => [other.name, listValues(other)[0]]);
			return listCases(group.values, `${path}.${group.name}.`, (entry) =>
				parametersWith({ [group.name]: [{ ...Object.fromEntries(others), ...entry }] }),
			);
		});
	});
}

const cases = Object.entries(PROBES).flatMap(([operation, probes]) => {
	const [resource = '', name = ''] = operation.split('.');
	const fields = listCases(toProperties(findOperation(resource, name)?.fields ?? {}));
	return probes
		.slice(0, 1)
		.flatMap((probe) => fields.map((each) => ({ operation, probe, ...each })));
});

let runs = 0;

/** Runs an operation with a value, and gives all that can be seen of it but what is another each time. */
async function traceUse(
	service: Sandbox,
	{ operation, probe, path, parametersWith }: (typeof cases)[number],
	value: unknown,
) {
	const { change, parameters, files = twoFiles } = SITUATIONS[path] ?? {};
	await service.reset();
	const { parameters: base, item } = await probe.prepare(service);
	const given = parametersWith(value);
	change?.(service);
	// The process remembers of a key how long the service has told it to wait.
	const apiKey = `${service.apiKey}-${++runs}`;
	service.keys.set(apiKey, undefined);
	const { items, hints, error } = await runOn(service)(
		operation,
		{
			...base,
			...parameters,
			...given,
			options: Object.assign({}, base.options, parameters?.options, given.options),
		},
		{
			items: [{ json: item?.json ?? {}, binary: files }],
			credential: { apiKey },
			// Nobody listens there: n8n often can't reach its own address.
			webhookUrl: 'http://127.0.0.1:1/',
		},
	);
	const requests = service.requests.map(({ method, path, query, body }) =>
		JSON.stringify([method, path, query, body]),
	);
	const output = items.map(({ json, binary = {} }) => [json, Object.keys(binary)]);
	return JSON.stringify([requests.sort(), output, hints, error?.message])
		.replace(/pass_along=([\w-]+)/, (_, pass_along: string) =>
			JSON.stringify(readPassedAlong({ pass_along }, [service.webhookSecret])),
		)
		.replace(/(expires|signature)\W+[\w+/%]+/g, '')
		.replace(/(?<=[?&]q=)[\w-]+/g, '')
		.replace(/\b20[23]\d-[\d-]+T[\d:.]+Z/g, '')
		.replace(/(?<=webhook-waiting.)\d+/g, '')
		.replace(/[\da-f]{8}-[\da-f-]{27}/g, (id) => (JSON.stringify(given).includes(id) ? id : ''));
}

test.for(cases)(
	'$operation: each value of $path makes a difference, and is sent under a name that the service knows',
	async (each, { service }) => {
		const traces: string[] = [];
		for (const value of [...each.values, each.values[0]])
			traces.push(await traceUse(service, each, value));
		expect(traces.pop()).toBe(traces[0]);
		expect(new Set(traces).size).toBe(each.values.length);
		expect(traces.join()).not.toMatch(/additional properties|property name/);
	},
);
