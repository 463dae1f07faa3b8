import { afterAll, expect, inject, test } from 'vitest';

import { startSandbox } from '../sandbox/sandbox.mts';
import type { Task } from '../sandbox/state/tasks.mts';
import { credentialType, readExample } from './examples.mts';
import { itemsOf } from './executions.mts';
import { connectToSharedN8n } from './sharedN8n.mts';
import { optionalText } from './unknownJson.mts';

const DAY = 86_400_000;

const n8n = connectToSharedN8n(inject('n8n'));
const sandbox = await startSandbox({ requestsPerMinute: Infinity });
afterAll(() => sandbox.close());

test('the sweep gathers what is due, raises what is overdue and archives what is finished, of 10,000 tasks', async () => {
	sandbox.tasks.clear();
	sandbox.tasks.seed(10_000);
	const before = sandbox.tasks.ordered().map((task): Task => ({ ...task }));
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Sweep', { baseUrl, apiKey, webhookSecret });
	const example = await readExample('sweep.json', credential);
	const sweep = await n8n.createWorkflow({ ...example, settings: { ...example.settings, timezone: 'UTC' } });

	await n8n.activate(sweep);
	await n8n.deactivate(sweep);
	const started = Date.now();
	const id = await n8n.run(sweep, { trigger: 'Try It Now' });
	const execution = await n8n.waitForExecution(id, undefined, { timeout: 100_000, interval: 500 });
	expect(execution.failure).toBeUndefined();
	expect(execution.status).toBe('success');

	const [first] = sandbox.requests;
	const endOfTomorrow = (Math.floor((first?.at ?? 0) / DAY) + 2) * DAY - 1;
	expect(first?.query).toEqual({
		status: 'open,in_progress',
		complete_by_to: new Date(endOfTomorrow).toISOString(),
		limit: '100',
	});
	const isOpen = ({ status }: Task): boolean => status === 'open' || status === 'in_progress';
	const isDueBy = ({ complete_by }: Task, time: number): boolean => complete_by !== null && Date.parse(complete_by) <= time;

	const due = before.filter((task) => isOpen(task) && isDueBy(task, endOfTomorrow));
	const digests = itemsOf(execution, 'Digest').map(({ json }) => json);
	expect(digests).toMatchObject([{ subject: `${due.length} legal tasks due by tomorrow`, count: due.length }]);
	const lines = (optionalText(digests[0]?.text) ?? '').split('\n');
	expect(lines).toHaveLength(51);
	expect(lines[0]).toContain(`- ${due[0]?.display_id ?? ''} ${due[0]?.title ?? ''} (due `);
	expect(lines[50]).toBe(`… and ${due.length - 50} more`);

	const isOverdue = (task: Task): boolean => isOpen(task) && isDueBy(task, started);
	const expected = before.map((task) => ({
		id: task.id,
		priority: isOverdue(task) ? 'urgent' : task.priority,
		archived: task.status === 'completed',
		status: task.status,
	}));
	const after = before.map(({ id: taskId }) => {
		const { priority, archived, status } = sandbox.tasks.get(taskId);
		return { id: taskId, priority, archived, status };
	});
	expect(after).toEqual(expected);

	const raised = before.filter((task) => isOverdue(task) && task.priority !== 'urgent').length;
	const finished = before.filter(({ status }) => status === 'completed').length;
	expect(Math.min(raised, finished)).toBeGreaterThan(1000);
	expect(itemsOf(execution, 'Raise Priority')).toHaveLength(raised);
	expect(itemsOf(execution, 'Archive')).toHaveLength(finished);
	const pages = Math.ceil(due.length / 100) + Math.ceil(finished / 100);
	expect(sandbox.requests).toHaveLength(raised + finished + pages);
});
