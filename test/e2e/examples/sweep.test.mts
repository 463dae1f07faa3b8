import { afterAll, expect, inject, test } from 'vitest';

import { startSandbox } from '../../sandbox/sandbox.mts';
import type { Task } from '../../sandbox/state/tasks.mts';
import { credentialType, readExample } from '../../support/n8n/examples.mts';
import { itemsOf } from '../../support/n8n/executions.mts';
import { connectToSharedN8n } from '../sharedN8n.mts';
import { SmtpServer } from '../smtpServer.mts';
import { optionalText } from '../../support/unknownJson.mts';

const DAY = 86_400_000;

const n8n = connectToSharedN8n(inject('n8n'));
const sandbox = await startSandbox({ requestsPerMinute: Infinity });
const smtp = await SmtpServer.start();
afterAll(async () => {
	await Promise.all([smtp.close(), sandbox.close()]);
});

test('sweep.json: of 600 tasks, those due become a digest, overdue ones are tagged, and completed ones archived', async () => {
	sandbox.tasks.clear();
	// As many as can be dealt with before the node paces itself to the service's 400 requests a minute.
	sandbox.tasks.seed(600);
	const before = sandbox.tasks.ordered().map((task): Task => ({ ...task }));
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const credential = await n8n.createCredential(credentialType, 'Sweep', { baseUrl, apiKey, webhookSecret });
	const example = await readExample('sweep.json', credential);

	const sweep = await n8n.publish({ ...example, settings: { ...example.settings, timezone: 'UTC' } });
	await n8n.deactivate(sweep);
	const started = Date.now();
	const id = await n8n.run(sweep, { trigger: 'Weekdays at Seven' });
	const execution = await n8n.waitForExecution(id);
	expect(execution.failure).toBeUndefined();
	expect(execution.status).toBe('success');

	const [first] = sandbox.requests;
	const endOfTomorrow = (Math.floor((first?.at ?? 0) / DAY) + 2) * DAY - 1;
	expect(first?.query).toEqual({
		complete_by_to: new Date(endOfTomorrow).toISOString(),
		limit: '100',
	});
	const isOpen = ({ status }: Task): boolean => status !== 'completed';
	const isDueBy = ({ complete_by }: Task, time: number): boolean => complete_by !== null && Date.parse(complete_by) <= time;

	const due = before.filter((task) => isOpen(task) && isDueBy(task, endOfTomorrow));
	const digests = itemsOf(execution, 'Write Digest').map(({ json }) => json);
	expect(digests).toMatchObject([{ subject: `Legal tasks due by tomorrow: ${due.length}`, count: due.length }]);
	const lines = (optionalText(digests[0]?.text) ?? '').split('\n');
	expect(lines).toHaveLength(51);
	expect(lines[0]).toContain(`- ${due[0]?.display_id ?? ''} ${due[0]?.title ?? ''} (due `);
	expect(lines[50]).toBe(`… and ${due.length - 50} more`);

	const isOverdue = (task: Task): boolean => isOpen(task) && isDueBy(task, started);
	const expected = before.map((task) => ({
		id: task.id,
		tags: isOverdue(task) ? [...task.tags, 'overdue'] : task.tags,
		archived: task.status === 'completed',
		status: task.status,
	}));
	const after = before.map(({ id: taskId }) => {
		const { tags, archived, status } = sandbox.tasks.get(taskId);
		return { id: taskId, tags, archived, status };
	});
	expect(after).toEqual(expected);

	const overdue = before.filter(isOverdue).length;
	const finished = before.filter(({ status }) => status === 'completed').length;
	expect(Math.min(overdue, finished)).toBeGreaterThan(50);
	expect(itemsOf(execution, 'Tag as Overdue')).toHaveLength(overdue);
	expect(itemsOf(execution, 'Archive Tasks')).toHaveLength(finished);
	const listed = before.filter((task) => isDueBy(task, endOfTomorrow)).length;
	const pages = Math.ceil(listed / 100) + Math.ceil(finished / 100);
	expect(sandbox.requests).toHaveLength(overdue + finished + pages);
});

test('weekly-escalation.json: overdue tasks are reminded of together, and what is late by weeks is escalated once', async () => {
	await sandbox.reset();
	sandbox.tasks.clear();
	const due = (days: number): { complete_by: string } => ({ complete_by: new Date(Date.now() + days * DAY).toISOString() });
	sandbox.tasks.create({ title: 'In time', ...due(3) });
	sandbox.tasks.create({ title: 'A week late', ...due(-7) });
	const late = sandbox.tasks.create({ title: 'Weeks late', tags: ['nda'], ...due(-30) });
	const known = sandbox.tasks.create({ title: 'Known to be late', tags: ['escalated'], ...due(-40) });
	const completed = sandbox.tasks.create({ title: 'Completed', status: 'completed', ...due(-30) });
	const { baseUrl, apiKey, webhookSecret } = sandbox;
	const example = await readExample(
		'weekly-escalation.json',
		await n8n.createCredential(credentialType, 'Weekly', { baseUrl, apiKey, webhookSecret }),
		await n8n.createCredential('smtp', 'Weekly', smtp.credential),
	);
	const workflow = await n8n.createWorkflow(example);
	const run = async (): Promise<void> => {
		const execution = await n8n.waitForExecution(await n8n.run(workflow, { trigger: 'Mondays at Eight' }));
		expect(execution.failure).toBeUndefined();
	};
	await run();
	await run();

	const sent = smtp.emails.map(({ to, subject, text }) => [to.text, subject, text?.trim().replace(/ \(due .*\)/, '').replace(/- LEGAL-\d+ /, '')]);
	const reminder = ['legal-team@example.com', 'Overdue legal tasks: 1', 'A week late'];
	const escalation = ['head-of-legal@example.com', 'Legal tasks more than two weeks late: 1', 'Weeks late'];
	expect(sent.sort()).toEqual([escalation, reminder, reminder]);
	expect([late, known, completed].map(({ tags }) => tags)).toEqual([['nda', 'escalated'], ['escalated'], []]);
});
