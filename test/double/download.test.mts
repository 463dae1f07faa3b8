import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { readBinary, type NodeRun } from '../support/engine/engine.mts';
import type { Double } from './double.mts';
import { everyService, expectSuccess, hasFailed, runAgainst, runToItsEnd } from './property.mts';
import { partsOfService, type GeneratedFileStyle } from './services.mts';

/** Services that answer with files as soon as they are looked at. */
const withFiles = {
	questions: partsOfService.questions
		.filter(({ attachments }) => attachments.length > 0)
		.map((style) => ({
			...style,
			outcome: 'completed' as const,
			answer: style.answer ?? 'Done.',
			before: ['in_progress'],
		})),
};

/** What a file's style lets a client do: get it, get it if it is stubborn, or nothing at all. */
function prospect({
	url,
	trouble,
	troubleEachTime,
}: GeneratedFileStyle): 'sure' | 'maybe' | 'none' {
	if (url !== 'present' || (trouble !== 'none' && troubleEachTime)) return 'none';
	return trouble === 'short' || trouble === 'log-in page' ? 'maybe' : 'sure';
}

/** Every operation that downloads what came with an answer. */
const WAYS: readonly { readonly asks: boolean; readonly parameters: INodeParameters }[] = [
	{
		asks: false,
		parameters: {
			resource: 'file',
			operation: 'download',
			downloadFrom: 'question',
			questionId: '={{ $json.id }}',
		},
	},
	...['get', 'waitForAnswer'].map((operation) => ({
		asks: false,
		parameters: {
			resource: 'question',
			operation,
			questionId: '={{ $json.id }}',
			options: { downloadFiles: true },
		},
	})),
	{
		asks: true,
		parameters: {
			resource: 'question',
			operation: 'askAndWait',
			question: 'Sign?',
			options: { downloadFiles: true, waitUsing: 'polling' },
		},
	},
];

test('a generated file that is downloaded by its question comes out byte for byte, or fails', async () => {
	await everyService(withFiles, fc.constantFrom(...WAYS), async (service, { asks, parameters }) => {
		const asked = asks ? [{ json: {} }] : (await ask(service)).items;
		const run = await runToItsEnd(service, { parameters, items: asked });
		await expectFiles(service, run);
	});
});

async function ask(service: Double): Promise<NodeRun> {
	const run = await runAgainst(service, {
		parameters: { resource: 'question', operation: 'ask', question: 'Sign?' },
	});
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
	const got = await Promise.all(
		Object.keys(item?.binary ?? {}).map((name) => readBinary(item, name)),
	);
	const missing = [...files];
	for (const content of got) {
		const place = missing.findIndex((file) => file.content.equals(content));
		expect(place).not.toBe(-1);
		missing.splice(place, 1);
	}
	expect(missing).toHaveLength(styles.filter(({ url }) => url !== 'present').length);
	if (missing.length > 0) expect(run.hints.join('\n')).toContain('without a download link');
}
