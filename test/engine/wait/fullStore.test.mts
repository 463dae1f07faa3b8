import type { LoggedRequest } from '../../sandbox/requests.mts';
import { noteByOthers } from '../../support/engine/processedData.mts';
import { askedAbout, itemsWithContracts } from '../../support/wait/contracts.mts';
import { AFTER, type Killed, type Sandbox, test, textWith } from '../../support/fixtures.mts';
import { words } from '../../support/wait/killed.mts';

/* T: n8n keeps the 4,000 newest notes of a node, over all its executions. A retry trusts that nothing is noted only if it finds that its notes are still there. */

const MOST_NOTES = 4_000;

const parties = ['Ada', 'Ben', 'Cat'];
const parameters = { attachments: { attachment: [{ source: 'allBinary' }] } };
const isUpload = ({ method }: LoggedRequest) => method === 'PUT';

/** Other executions of the node have filled the store. */
async function fillStore({ finish, start, wait }: Killed) {
	const { service } = wait;
	await finish(start({ words: ['Of another execution'] }));
	noteByOthers(MOST_NOTES);
	await service.reset();
}

test('killed as files are uploaded, with a full store of notes, a retry asks all', async ({
	service,
	killed,
}) => {
	await fillStore(killed);
	killed.list.makeItems = () => itemsWithContracts(parties);
	const crashed = await killed.killWhileSending(() => killed.start({ parameters }), {
		match: isUpload,
		skip: 0,
	});
	const ended = await killed.finish(crashed.retry());
	expect(ended.readItems(AFTER).map(({ json }) => json.error)).toEqual(
		parties.map(() => undefined),
	);
	expect(askedAbout(service, parties).toSorted()).toEqual(parties);
});

test('killed as it sends, and with so many notes by other executions since then that its own are gone, a retry sends nothing and says so', async ({
	service,
	killed,
}) => {
	await fillStore(killed);
	killed.list.makeItems = () => itemsWithContracts(parties);
	const crashed = await killed.killWhileSending(() => killed.start({ parameters }), {
		match: isUpload,
		skip: 1,
	});
	const [sent, ...more] = askedAbout(service, parties);
	expect(more).toEqual([]);
	noteByOthers(MOST_NOTES);
	const ended = await killed.finish(crashed.retry());
	expect(askedAbout(service, parties)).toEqual([sent]);
	const errors = ended.readItems(AFTER).map(({ json }) => json.error);
	expect(errors).toHaveLength(parties.length);
	for (const error of errors) expect(error).not.toBeUndefined();
	for (const error of errors) expect(error).not.toContain('Sending was interrupted');
});

test('with so many notes by other executions since a kill that its own are gone, a retry of what was killed in its uploads sends nothing: it can not be told', async ({
	service,
	killed,
}) => {
	await fillStore(killed);
	const crashed = await killed.killWhileSending(() => killed.start({ words: words(3) }), {
		skip: 0,
	});
	noteByOthers(MOST_NOTES);
	await killed.finish(crashed.retry());
	expect(service.questions).toEqual([]);
});

describe('of an execution that ended with an error after a long wait, in a full store of notes,', () => {
	const failing = { operation: 'Ask and Wait', node: {}, words: words(2) };
	const parameters = { options: { onNoAnswer: 'fail' } };

	/** One question is answered, one ends in an error; meanwhile, other executions have filled the store. */
	async function fail({ wait, start }: Killed) {
		const { clock } = wait;
		const parked = await clock.settle(start({ ...failing, parameters }));
		await wait.completeSilently('Words 0');
		await wait.completeSilently('Words 1', 'error');
		noteByOthers(MOST_NOTES);
		return await wait.toItsEnd(parked);
	}

	const asked = (service: Sandbox) => service.questions.map(({ text }) => text).toSorted();

	test('a retry asks what has failed', async ({ service, killed }) => {
		const failed = await fail(killed);
		expect((await killed.finish(failed.retry())).status).toBe('success');
		expect(asked(service)).toEqual(['Words 0', 'Words 1', 'Words 1']);
	});

	test('a second retry asks it neither again nor unnoticed, once the notes of the first retry are gone, too', async ({
		service,
		killed,
	}) => {
		const failed = await fail(killed);
		await killed.finish(failed.retry());
		noteByOthers(MOST_NOTES);
		const second = await killed.finish(failed.retry());
		expect(asked(service)).toEqual(['Words 0', 'Words 1', 'Words 1']);
		expect([second.status, second.error?.message]).toEqual(['error', textWith('notes')]);
	});
});
