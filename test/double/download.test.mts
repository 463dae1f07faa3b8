import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { readBinary, type NodeRun } from '../support/engine/engine.mts';
import type { Double } from './double.mts';
import { everyService, expectSuccess, hasFailed, runAgainst, runToItsEnd } from './property.mts';
import { partsOfService, type GeneratedFileStyle } from './services.mts';

/** Services that answer with files as soon as they are looked at. */
const withFiles = {
	questions: partsOfService.questions
		.filter(({ attachments }) => attachments.length > 0)
		.map((style) => ({ ...style, outcome: 'completed' as const, answer: style.answer ?? 'Done.', before: ['in_progress'] })),
};

/** Of these, services whose files all have an address, and where nothing but the answer would tell that a file is not whole. */
const withAddresses = {
	questions: withFiles.questions
		.filter(({ attachments }) => attachments.every(({ trouble }) => trouble !== 'short' && trouble !== 'log-in page'))
		.map((style) => ({ ...style, attachments: style.attachments.map((file) => ({ ...file, url: 'present' as const })) })),
};

/** What a file's style lets a client do: get it, get it if it is stubborn, or nothing at all. */
function prospect({ url, trouble, troubleEachTime }: GeneratedFileStyle): 'sure' | 'maybe' | 'none' {
	if (url !== 'present' || (trouble !== 'none' && troubleEachTime)) return 'none';
	return trouble === 'short' || trouble === 'log-in page' ? 'maybe' : 'sure';
}

/** Every operation that downloads what came with an answer. */
const WAYS: readonly { readonly asks: boolean; readonly parameters: INodeParameters }[] = [
	{ asks: false, parameters: { resource: 'file', operation: 'download', downloadFrom: 'question', questionId: '={{ $json.id }}' } },
	...['get', 'waitForAnswer'].map((operation) => ({
		asks: false,
		parameters: { resource: 'question', operation, questionId: '={{ $json.id }}', options: { downloadFiles: true } },
	})),
	{
		asks: true,
		parameters: { resource: 'question', operation: 'askAndWait', question: 'Sign?', options: { downloadFiles: true, waitUsing: 'polling' } },
	},
];

describe('a generated file comes out byte for byte, or fails,', () => {
	test('when it is downloaded by its question', async () => {
		await everyService(withFiles, fc.constantFrom(...WAYS), async (service, { asks, parameters }) => {
			const asked = asks ? [{ json: {} }] : (await ask(service)).items;
			const run = await runToItsEnd(service, { parameters, items: asked });
			await expectFiles(service, run);
		});
	});

	test('when it is downloaded by its address', async () => {
		await everyService(withAddresses, fc.constant(null), async (service) => {
			const asked = await ask(service);
			const looked = await runAgainst(service, {
				parameters: { resource: 'question', operation: 'get', questionId: '={{ $json.id }}' },
				items: asked.items,
			});
			const shown = (looked.json[0]?.attachments ?? []) as { url?: unknown }[];
			const url = shown.map((each) => each.url).find((each) => typeof each === 'string') ?? '';
			const ids = service.sandbox.questions[0]?.generated ?? [];
			const place = ids.findIndex((id) => url.includes(id));
			const [file, style] = [service.sandbox.files.generated.get(ids[place] ?? ''), service.description.questions.attachments[place]];
			if (file === undefined || style === undefined) throw new Error('No file of the answer has an address');
			const run = await runAgainst(service, {
				parameters: { resource: 'file', operation: 'download', downloadFrom: 'url', url: '={{ $json.url }}' },
				items: [{ json: { url } }],
			});
			if (prospect(style) === 'none' || style.trouble === 'expired') {
				expect(hasFailed(run)).toBe(true);
				return;
			}
			expectSuccess(run);
			expect((await readBinary(run.items[0])).equals(file.content)).toBe(true);
		});
	});
});

async function ask(service: Double): Promise<NodeRun> {
	const run = await runAgainst(service, { parameters: { resource: 'question', operation: 'ask', question: 'Sign?' } });
	expectSuccess(run);
	return run;
}

/** Checks that each file is there and whole, or that the run says that it is not. */
async function expectFiles({ description, sandbox }: Double, run: NodeRun): Promise<void> {
	const styles = description.questions.attachments;
	if (hasFailed(run)) {
		if (styles.every((style) => prospect(style) === 'sure')) expectSuccess(run);
		return;
	}
	const files = [...sandbox.files.generated.values()];
	const [item] = run.items;
	const got = await Promise.all(Object.keys(item?.binary ?? {}).map((name) => readBinary(item, name)));
	const missing = [...files];
	for (const content of got) {
		const place = missing.findIndex((file) => file.content.equals(content));
		expect(place).not.toBe(-1);
		missing.splice(place, 1);
	}
	expect(missing).toHaveLength(styles.filter(({ url }) => url !== 'present').length);
	if (missing.length > 0) expect(run.hints.join('\n')).toContain('without a download link');
}
