import fc from 'fast-check';
import type { IBinaryKeyData, INodeExecutionData } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { storeBinary } from '../support/engine/engine.mts';
import type { Double } from './double.mts';
import { everyService, expectSuccess, runAgainst } from './property.mts';
import { bytesOf } from './random.mts';

interface GivenFile {
	readonly named: { readonly fileName: string; readonly mimeType: string };
	readonly size: number;
	/** Whether its base64 comes in lines, as it does out of an e-mail. */
	readonly inLines: boolean;
}

const files = fc.array(
	fc.record<GivenFile>({
		named: fc.constantFrom(
			...[
				{ fileName: 'nda.pdf', mimeType: 'application/pdf' },
				{ fileName: 'Vertrag (Entwurf) – ü', mimeType: 'image/png' },
			],
			...[
				{ fileName: 'a b+c&d.txt', mimeType: 'text/plain' },
				{ fileName: '"quoted".csv', mimeType: 'text/csv' },
			],
		),
		size: fc.constantFrom(300, 1, 70_000, 1_000_000),
		inLines: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 3 },
);

test("the service has a question's files byte for byte and in order when the question is asked", async () => {
	await everyService({}, files, async (service, given) => {
		const item = await itemWith(service, given);
		const attachments = { attachment: [{ source: 'allBinary' }] };
		const run = await runAgainst(service, {
			parameters: { resource: 'question', operation: 'ask', question: 'Sign?', attachments },
			items: [item],
		});
		expectSuccess(run);
		const [question, ...others] = service.sandbox.questions;
		expect(others).toEqual([]);
		const jobIds =
			question?.attachments.map(
				(each) => each.kind === 'upload' && service.shown.jobId(each.jobId),
			) ?? [];
		expectStored(service, jobIds, given);
	});
});

async function itemWith(
	{ description }: Double,
	given: readonly GivenFile[],
): Promise<INodeExecutionData> {
	const binary: IBinaryKeyData = {};
	for (const [index, { size, inLines, named }] of given.entries()) {
		const stored = await storeBinary(contentOf(description.seed, size, index), named);
		binary[`file_${index}`] = inLines
			? { ...stored, data: stored.data.replace(/.{76}/g, '$&\r\n') }
			: stored;
	}
	return { json: {}, binary };
}

function contentOf(seed: number, size: number, index: number): Buffer {
	return bytesOf(seed, `given ${index}`, size);
}

function expectStored(
	{ description, sandbox, shown }: Double,
	jobIds: readonly unknown[],
	given: readonly GivenFile[],
): void {
	const all = [...sandbox.files.jobs.values()];
	const jobs = jobIds.map((id) => all.find(({ jobId }) => shown.jobId(jobId) === id));
	expect(jobs.map((job) => job?.contentType)).toEqual(given.map(({ named }) => named.mimeType));
	const isWhole = jobs.map((job, index) =>
		job?.upload?.content?.equals(contentOf(description.seed, given[index]?.size ?? 0, index)),
	);
	expect(isWhole).toEqual(given.map(() => true));
}
