import { globSync, readFileSync } from 'node:fs';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { addPassedAlong } from '../../nodes/LegalAi/trigger/address.ts';
import { NODE, type Sandbox, storeBinary, test } from '../support/fixtures.mts';
import { isRecord, type JsonRecord } from '../../harness/unknownJson.mts';
import { PROBES, type Prepared } from '../support/engine/operations.mts';
import { ask } from '../support/sandboxForTests.mts';
import { callbackPayload, deliver } from '../support/engine/publishedTrigger.mts';

/** A type of a JSON schema. */
interface Schema {
	type: string;
	properties?: Record<string, Schema>;
	items?: Schema;
}

const SCHEMAS = new URL('../../nodes/LegalAi/__schema__/', import.meta.url);

/** The fields that the editor offers of an operation, or of a trigger. */
function declaredBy(file: string) {
	const { properties = {} } = JSON.parse(
		readFileSync(new URL(`${file}.json`, SCHEMAS), 'utf8'),
	) as Schema;
	return properties;
}

const ANSWERED = '[file] [now] Redline this.';
/** The specification leaves open what else these have. */
const OPEN_RECORDS = ['assistant', 'playbook', 'template'];

/** Fields that are always null there. */
const WITHOUT_VALUE: Record<string, string[]> = {
	'question.ask': ['attachments'],
};

const OPEN = 'Is the cap usual?';
const DECLINED = '[filtered] Who wins on Saturday?';

let files: INodeExecutionData;
beforeAll(async () => {
	const contract = await storeBinary('%PDF-1.7');
	const program = await storeBinary('MZ', { fileName: 'setup.exe', mimeType: 'x/y' });
	files = { json: {}, binary: { contract, program } };
});

const asking = (question: string, options: INodeParameters = {}) => ({
	item: files,
	parameters: {
		question,
		attachments: { attachment: [{ source: 'allBinary' }] },
		options: { unsupportedFiles: 'skip', maxWait: 0, ...options },
	},
});

const askedBefore = (service: Sandbox) =>
	[ANSWERED, OPEN, DECLINED].map(async (question) => {
		const { id: questionId } = await ask(service, question);
		if (question === ANSWERED)
			await service.waitForQuestion(
				({ id, status }) => id === questionId && status === 'completed',
			);
		return { parameters: { questionId, options: { maxWait: 0 } } };
	});

/** For operations whose probes do not bring a value for each field, or wait too long. */
const OTHER_RUNS: Readonly<Record<string, (service: Sandbox) => (Prepared | Promise<Prepared>)[]>> =
	{
		'question.ask': () => [asking(ANSWERED), asking(DECLINED)],
		'question.askAndWait': () => {
			const checkQuotes = 'Words that the answer does not quote';
			const { item, parameters } = asking(ANSWERED, { waitUsing: 'sync', checkQuotes });
			const answerFields = { field: [{ name: 'Cap', type: 'quote' }] };
			return [
				{ item, parameters: { ...parameters, answerFields } },
				asking(OPEN),
				asking(DECLINED),
			];
		},
		'question.get': askedBefore,
		'question.waitForAnswer': askedBefore,
		'task.create': ({ organization: { people } }) => {
			const completeBy = '2026-10-25T12:00:00';
			const additionalFields = {
				description: 'Break clause',
				assignedTo: people.ben,
				priority: 'high',
				completeBy,
				tags: 'lease',
			};
			return [{ parameters: { title: 'Review lease', additionalFields } }];
		},
		// A flag takes the place of the last field.
		'task.waitForStatus': ({ tasks }) => {
			const { id = '', status = '' } = tasks.ordered()[0] ?? {};
			return [[status], ['approved']].map((statuses) => ({
				parameters: { taskId: id, statuses, options: { maxWait: 0, onNotReached: 'output' } },
			}));
		},
	};

/** Fields as records have them that were really output; those that are null in each are missing. */
function describeFields(records: JsonRecord[]) {
	const names = new Set(records.flatMap((record) => Object.keys(record)));
	return Object.fromEntries(
		[...names].flatMap((name) => {
			const values = records
				.map((record) => record[name])
				.filter((value) => value !== undefined && value !== null);
			return values.length === 0 ? [] : [[name, describeField(values)]];
		}),
	);
}

function describeField(values: unknown[]): Schema {
	if (values.every((value) => typeof value === 'string')) return { type: 'string' };
	if (values.every((value) => typeof value === 'boolean')) return { type: 'boolean' };
	if (values.every((value) => Number.isInteger(value))) return { type: 'integer' };
	// Empty lists say nothing about what the service puts there.
	if (values.every((value) => Array.isArray(value)))
		return {
			type: 'array',
			...(values.flat().length > 0 && { items: describeField(values.flat()) }),
		};
	if (values.every((value) => isRecord(value)))
		return { type: 'object', properties: describeFields(values) };
	throw new Error(`Values of several kinds: ${JSON.stringify(values)}`);
}

/** Of an archived task, the flag takes the place of the last field. */
const withFlag = (fields: Record<string, Schema>) =>
	Object.fromEntries([...Object.entries(fields).slice(0, -1), ['archived', { type: 'boolean' }]]);

const operations = Object.entries(PROBES).filter(([operation]) => operation !== 'file.download');

describe('the output has the fields that the editor offers before a first run', () => {
	test.for(operations)('%s', async ([name, probes], { service, run }) => {
		const [resource = ''] = name.split('.');
		const output: JsonRecord[] = [];
		for (const prepared of OTHER_RUNS[name]?.(service) ??
			probes.map((probe) => probe.prepare(service))) {
			const { parameters, item = { json: {} } } = await prepared;
			const { json, error } = await run(name, parameters, { items: [item] });
			expect(error).toBeUndefined();
			// The user names these fields.
			for (const record of json)
				output.push({ ...record, ...(record.unread_fields ? { unread_fields: {} } : {}) });
		}

		const declared = declaredBy(`v1.1.0/${name.replace('.', '/')}`);
		const missing = WITHOUT_VALUE[name] ?? [];
		for (const each of missing) expect(output.every((record) => record[each] === null)).toBe(true);
		const expected = Object.fromEntries(
			Object.entries(declared).filter(([field]) => !missing.includes(field)),
		);
		if (OPEN_RECORDS.includes(resource)) expect(describeFields(output)).toMatchObject(expected);
		else
			expect(describeFields(output)).toEqual(
				name === 'task.archive' ? withFlag(expected) : expected,
			);
	});

	test('the Legal AI Trigger', async ({ service, listen }) => {
		const { url, waitForExecution } = await listen();
		const session = { session_url: 'https://legal-ai.example.com/s' };
		const file = {
			file_name: 'redline.docx',
			content_type: 'text/plain',
			content_length: 4,
			url: 'https://files.example.com/1',
		};
		const answers = [
			callbackPayload('q-1', { ...session, attachments: [file] }),
			callbackPayload('q-2', { ...session, status: 'filtered', reason: 'It is out of scope.' }),
		];
		const output: JsonRecord[] = [];
		for (const answer of answers) {
			const address = new URL(`${url}?assistant_id=default`);
			addPassedAlong(address, {}, service.webhookSecret);
			await deliver(service, address.href, answer);
			const execution = await waitForExecution(
				(each) => each.readItems(NODE)[0]?.json.id === answer.id,
			);
			output.push(...execution.readItems(NODE).map(({ json }) => json));
		}
		expect(describeFields(output)).toEqual(declaredBy('v1.1.0/output'));
	});

	test('the Legal AI Task Trigger, whose items are tasks, and no operation without a schema', () => {
		expect(declaredBy('v1.0.0/output')).toEqual(declaredBy('v1.1.0/task/get'));
		const files = globSync('v1.1.0/*/*.json', { cwd: SCHEMAS });
		expect(files.sort()).toEqual(
			operations.map(([name]) => `v1.1.0/${name.replace('.', '/')}.json`).sort(),
		);
	});
});
