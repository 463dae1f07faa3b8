import fc from 'fast-check';
import { expect, inject, test } from 'vitest';

import { startDouble } from '../double/double.mts';
import { arbitraryService, partsOfService } from '../double/services.mts';
import { receiveCallbacks } from './callbackReceiver.mts';
import { checkService } from './checkService.mts';

const TIME_SCALE = 60;
const { callbacks, files, questions, tasks } = partsOfService;

/** Services that are open in what they choose, but fail nowhere: a check meets each promise once, and tries nothing again. */
const unfailing = {
	// By priority means by the priorities that the sandbox knows.
	tasks: tasks.map((style) => ({ ...style, priority: 'text' as const })),
	questions: questions.map(({ outcome, answer, attachments, ...style }) => ({
		...{ ...style, answer: answer === '' || answer === null ? 'Done.' : answer },
		outcome: outcome === 'filtered' ? ('completed' as const) : outcome,
		attachments: attachments.map((file) => ({
			...file,
			trouble: 'none' as const,
			url: 'present' as const,
		})),
	})),
	callbacks: callbacks.map((style) => ({
		...style,
		signed: true,
		times: style.times || (1 as const),
		when: 'later' as const,
	})),
	files: files.map((style) => ({ ...style, uploadTrouble: 'none' as const })),
};

const shapes = fc.sample(arbitraryService(unfailing), {
	numRuns: 8,
	seed: inject('services').seed,
});

test.each(shapes.map((shape, index) => [index + 1, shape] as const))(
	'A check reads service %i of those chosen at random',
	async (_number, shape) => {
		const service = await startDouble(shape, { timeScale: TIME_SCALE });
		const receiver = await receiveCallbacks(service.webhookSecret, 0);
		const progress = (line: string): void => {
			if (line.startsWith('Waiting for the callback')) void service.finishQuestions();
		};
		const access = {
			baseUrl: service.baseUrl,
			apiKey: service.apiKey,
			callbacks: receiver,
			timeScale: TIME_SCALE,
			progress,
		};
		const rows = await checkService(access, () => undefined);
		receiver.close();
		await service.close();
		expect(
			rows.filter(({ verdict }) => verdict === 'differs'),
			JSON.stringify(shape),
		).toEqual([]);
		expect(rows.filter(({ verdict }) => verdict === 'as read').length).toBeGreaterThan(
			rows.length * 0.8,
		);
		expect(service.leaks).toEqual([]);
	},
);
