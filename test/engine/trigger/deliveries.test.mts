import { WebhookContext } from 'n8n-core';
import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { LegalAiTrigger } from '../../../nodes/LegalAi/LegalAiTrigger.node.ts';
import { freshNodes } from '../../support/engine/freshNodes.mts';
import { breakProcessedData } from '../../support/engine/processedData.mts';
import { type Execution, LEGAL_AI_TRIGGER, logs, test as base } from '../../support/fixtures.mts';
import { callbackPayload, type PublishedTrigger } from '../../support/engine/publishedTrigger.mts';

const test = base.extend<{ trigger: PublishedTrigger }>({
	trigger: async ({ listen }, use) => {
		await use(await listen());
	},
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** What came out after the trigger in all executions so far, once as many have ended. */
async function outputs({ waitForExecution }: PublishedTrigger, executions: number) {
	const ended: Execution[] = [];
	while (ended.length < executions) {
		ended.push(await waitForExecution(({ id }) => !ended.some((known) => known.id === id)));
	}
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
	return ended.flatMap((execution) => execution.readItems('After').map(({ json }) => json.id));
}

test('five deliveries of one answer at the same time are all accepted, and start the workflow once', async ({
	trigger,
}) => {
	const replies = await Promise.all(Array.from({ length: 5 }, () => trigger.deliver()));

	expect(replies.map(([status]) => status)).toEqual([200, 200, 200, 200, 200]);
	expect(await outputs(trigger, 1)).toEqual(['q']);
	expect(trigger.begun()).toBe(1);
});

test('a second delivery starts the workflow if n8n could not store the first', async ({
	n8n,
	trigger,
}) => {
	vi.spyOn(n8n.database, 'create').mockImplementationOnce(() => {
		throw new Error('SQLITE_BUSY: database is locked');
	});

	expect((await trigger.deliver())[0]).toBe(500);
	expect(await trigger.deliver()).toEqual([200, { message: 'Accepted.' }]);
	expect(await outputs(trigger, 1)).toEqual(['q']);
	expect(trigger.begun()).toBe(1);
});

test('a copy that arrives while the first is being stored shares its fate, and a later one starts the workflow', async ({
	n8n,
	trigger,
}) => {
	let failToStore = (): void => undefined;
	const storing = vi.spyOn(n8n.database, 'writable').mockImplementationOnce(
		() =>
			new Promise<void>((_resolve, reject) => {
				failToStore = () => {
					reject(new Error('SQLITE_BUSY: database is locked'));
				};
			}),
	);
	const first = trigger.deliver();
	await vi.waitFor(() => {
		expect(storing).toHaveBeenCalledOnce();
	});
	const arrived = vi.spyOn(WebhookContext.prototype, 'getHeaderData');
	const copies = [trigger.deliver(), trigger.deliver()];
	await vi.waitFor(() => {
		expect(arrived).toHaveBeenCalledTimes(copies.length);
	});
	failToStore();

	expect((await first)[0]).toBe(500);
	for (const copy of copies) expect(await copy).toMatchObject([503, { error_code: 'not_stored' }]);
	expect(trigger.begun()).toBe(0);
	expect(await trigger.deliver()).toEqual([200, { message: 'Accepted.' }]);
	expect(await outputs(trigger, 1)).toEqual(['q']);
});

test('after a restart the trigger still skips duplicates, even of callbacks that came at the same moment', async ({
	n8n,
	trigger,
}) => {
	const ids = Array.from({ length: 20 }, (_, index) => `q${index}`);
	const deliverAll = () => Promise.all(ids.map((id) => trigger.deliver(callbackPayload(id))));
	await deliverAll();
	expect((await outputs(trigger, 20)).toSorted()).toEqual(ids.toSorted());

	n8n.kill();
	n8n.restart(await freshNodes());

	await deliverAll();
	expect(await outputs(trigger, 40)).toHaveLength(20);
	const other = { ...callbackPayload('q0'), status: 'error' };
	await trigger.deliver(other);
	expect(await outputs(trigger, 41)).toHaveLength(21);
});

/** The trigger, with something else around what it does in an execution. */
function triggerWith(
	around: (
		context: IExecuteFunctions,
		node: LegalAiTrigger,
	) => ReturnType<LegalAiTrigger['execute']>,
) {
	const node = new LegalAiTrigger();
	const changed: INodeType = Object.assign(Object.create(node) as INodeType, {
		async execute(this: IExecuteFunctions) {
			return await around(this, node);
		},
	});
	return { [LEGAL_AI_TRIGGER]: changed };
}

test('an execution that n8n begins again, as after the loss of a worker, outputs its answer', async ({
	listen,
}) => {
	const nodeTypes = triggerWith(async (context, node) => {
		await node.execute.call(context);
		return await node.execute.call(context);
	});
	const trigger = await listen({ nodeTypes });
	await trigger.deliver();
	expect(await outputs(trigger, 1)).toEqual(['q']);
});

test('a retry of an execution that was interrupted at the end of the trigger outputs its answer', async ({
	listen,
}) => {
	const nodeTypes = triggerWith(async (context, node) => {
		const output = await node.execute.call(context);
		if (context.getMode() === 'retry') return output;
		throw new Error('interrupted');
	});
	const trigger = await listen({ nodeTypes });
	await trigger.deliver();
	const retried = await (await trigger.waitForExecution()).retry();
	expect(retried.readItems('After').map(({ json }) => json.id)).toEqual(['q']);
});

test('a duplicate starts the workflow if Skip Duplicates is off', async ({ listen }) => {
	const trigger = await listen({ parameters: { options: { skipDuplicates: false } } });
	await trigger.deliver();
	await trigger.deliver();
	expect(await outputs(trigger, 2)).toEqual(['q', 'q']);
});

test("if an answer's files can't be downloaded, a retry outputs the answer, and a redelivery after that nothing", async ({
	service,
	n8n,
	listen,
}) => {
	const parameters = { options: { downloadFiles: true } };
	const trigger = await listen({ parameters });
	const content = Buffer.from('# A');
	const file = { fileName: 'a.md', contentType: 'text/markdown', content };
	const attachments = [service.files.attachment(service.files.keepGenerated(file))];
	const payload = callbackPayload('q', { attachments });
	const outage = service.faults.add({
		status: 400,
		match: 'GET /storage/generated/:file_id',
		times: Infinity,
	});

	await trigger.deliver(payload);
	const failed = await trigger.waitForExecution();
	expect(failed.status).toBe('error');
	outage.remove();
	const retried = await failed.retry();
	expect(retried.readItems('After').map(({ json }) => json.id)).toEqual(['q']);

	n8n.kill();
	n8n.restart(await freshNodes());
	await trigger.deliver(payload);
	const last = await trigger.waitForExecution(({ id }) => id !== failed.id && id !== retried.id);
	expect(last.status).toBe('success');
	expect(last.readItems('After')).toEqual([]);
});

test("the trigger outputs an answer even if it can't read from n8n whether it is a duplicate", async ({
	trigger,
}) => {
	breakProcessedData(true);
	await trigger.deliver();
	expect(await outputs(trigger, 1)).toEqual(['q']);
	expect(logs.filter(({ level }) => level === 'warn').at(-1)?.message).toContain(
		'database is locked',
	);
});

test('an answer that is delivered again after its key was replaced, and a slash added to Base URL, is a duplicate, also after a restart', async ({
	service,
	n8n,
	listen,
}) => {
	const credential = {};
	const trigger = await listen({ credential });
	await trigger.deliver();
	expect(await outputs(trigger, 1)).toEqual(['q']);

	Object.assign(credential, { baseUrl: `${service.baseUrl}/`, apiKey: 'sk-svc-api1-new' });
	await trigger.deliver();
	expect(trigger.begun()).toBe(1);

	n8n.kill();
	n8n.restart(await freshNodes());
	await trigger.deliver();
	expect(await outputs(trigger, 2)).toEqual(['q']);
});
