import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { bundledContract } from '../../../harness/examples.mts';
import type { Execution } from '../../../harness/executions.mts';
import type { StoredWorkflow } from '../../../harness/n8nClient.mts';
import { until } from '../../../harness/polling.mts';
import type { HubspotDeal } from './hubspot.mts';
import type { JiraAttachment, JiraRequest } from './jira.mts';
import { Stage } from './stage.mts';

const stage = await Stage.ofThisFile();
const { hubspot, jira } = stage.products;

/** Runs the published workflow from a schedule, whatever becomes of it. */
async function sweep(workflow: StoredWorkflow, trigger: string): Promise<Execution> {
	return await stage.n8n.waitForExecution(await stage.n8n.run(workflow, { trigger }));
}

describe('jira-tasks.json', () => {
	/** Publishes the example, and lets Jira report requests, each once. */
	async function reported(...requests: readonly JiraRequest[]): Promise<StoredWorkflow> {
		const workflow = await stage.publish('jira-tasks.json');
		for (const request of requests) await stage.finished((await stage.started(workflow, () => jira.report(request))).id);
		return workflow;
	}

	/** Completes the tasks of all requests, and sweeps. */
	async function completed(workflow: StoredWorkflow): Promise<Execution> {
		for (const task of stage.sandbox.tasks.ordered()) stage.sandbox.tasks.update(task, { status: 'completed' });
		return await sweep(workflow, 'Every 15 Minutes');
	}
	const archived = (): unknown[] =>
		stage.sandbox.tasks
			.ordered()
			.filter((task) => task.archived)
			.map(({ tags }) => tags[1]);

	test('a request that is reported twice becomes one task with one comment; a report without the secret, none', async () => {
		const request = jira.create('LEGAL-12', 'NDA with Meridian');
		const workflow = await reported(request, request);
		expect(jira.filter).toEqual({ 'issue-related-events-section': 'project = LEGAL' });
		expect(await jira.report(request, undefined, false)).toBe(403);
		const tasks = stage.sandbox.tasks.ordered();
		expect(tasks).toMatchObject([
			{ title: 'LEGAL-12: NDA with Meridian', description: 'Please review.', tags: ['jira', 'jira-LEGAL-12'] },
		]);
		const comment = `The legal team has your request: ${tasks[0]?.display_id ?? ''}.`;
		expect(request.comments).toEqual([{ text: expect.stringContaining(comment) as unknown, isPublic: true }]);
		await stage.finished((await sweep(workflow, 'Every 15 Minutes')).id);
		expect([request.isResolved, archived()]).toEqual([false, []]);
	});

	test('the comment fails and the execution is retried: one task, one comment', async () => {
		const request = jira.create('LEGAL-13', 'NDA');
		const workflow = await stage.publish('jira-tasks.json');
		stage.products.refuse(/^POST .*\/comment/, 503, 1);
		const failed = await stage.started(workflow, () => jira.report(request));
		expect(failed.status).toBe('error');
		expect((await stage.retried(workflow, failed)).status).toBe('success');
		expect([stage.taskTitles(), request.comments.length]).toEqual([['LEGAL-13: NDA'], 1]);
	});

	test('somebody resolves a request by hand: its task is archived, and the others are resolved', async () => {
		const requests = ['LEGAL-1', 'LEGAL-2', 'LEGAL-3'].map((key) => jira.create(key, 'NDA'));
		const workflow = await reported(...requests);
		jira.request('LEGAL-2').isResolved = true;
		expect((await completed(workflow)).status).toBe('success');
		expect([requests.every(({ isResolved }) => isResolved), archived().sort()]).toEqual([
			true,
			['jira-LEGAL-1', 'jira-LEGAL-2', 'jira-LEGAL-3'],
		]);
	});

	test('somebody resolves a request in the same moment: it is reported, and archived the next time', async () => {
		const workflow = await reported(jira.create('LEGAL-1', 'NDA'), jira.create('LEGAL-2', 'NDA'));
		stage.products.refuse(/^POST .*LEGAL-2\/transitions/, 400, 1);
		expect(await completed(workflow)).toMatchObject({ status: 'error', failure: { message: expect.stringContaining('jira-LEGAL-2') as unknown } });
		expect(archived()).toEqual(['jira-LEGAL-1']);
		jira.request('LEGAL-2').isResolved = true;
		expect((await sweep(workflow, 'Every 15 Minutes')).status).toBe('success');
		expect(archived().sort()).toEqual(['jira-LEGAL-1', 'jira-LEGAL-2']);
	});

	test('Jira fails between its two steps: the request is not resolved again, and the task is archived the next time', async () => {
		const workflow = await reported(jira.create('LEGAL-1', 'NDA'));
		stage.products.refuse(/^PUT .*LEGAL-1/, 503, 1);
		expect((await completed(workflow)).status).toBe('error');
		expect([jira.request('LEGAL-1').isResolved, archived()]).toEqual([true, []]);
		expect((await sweep(workflow, 'Every 15 Minutes')).status).toBe('success');
		expect(archived()).toEqual(['jira-LEGAL-1']);
	});

	test('a request was deleted, and a person gave a task the tag jira: both are reported, the others are resolved', async () => {
		const workflow = await reported(jira.create('LEGAL-1', 'NDA'), jira.create('LEGAL-2', 'NDA'));
		jira.reset();
		jira.create('LEGAL-2', 'NDA');
		stage.sandbox.tasks.create({ title: 'By hand', tags: ['jira'] });
		const message = (await completed(workflow)).failure?.message;
		expect(message).toContain('jira-LEGAL-1');
		expect(message).toContain('(jira)');
		expect([jira.request('LEGAL-2').isResolved, archived()]).toEqual([true, ['jira-LEGAL-2']]);
	});

	test('Jira is down: nothing is archived, and everything the next time', async () => {
		const workflow = await reported(jira.create('LEGAL-1', 'NDA'));
		stage.products.refuse(/legal\.atlassian\.net\/rest\/api/, 503, 1);
		expect((await completed(workflow)).status).toBe('error');
		expect(archived()).toEqual([]);
		expect((await sweep(workflow, 'Every 15 Minutes')).status).toBe('success');
		expect(archived()).toEqual(['jira-LEGAL-1']);
	});
});

describe('jira-contracts.json', () => {
	/** A file has an ID that no file had before. */
	const attach = async (name: 'mutual-nda.pdf' | 'services-agreement.docx' = 'mutual-nda.pdf'): Promise<JiraAttachment> => ({
		id: randomUUID(),
		...(await bundledContract(name)),
	});
	const attachment = [{ field: 'Attachment', to: '10001' }];

	/** Waits until all executions of a workflow are over. */
	async function allOver(workflow: StoredWorkflow, count: number): Promise<string[]> {
		return await until(`${count} executions`, async () => {
			const found = await stage.n8n.executions(workflow.id);
			const statuses = found.map(({ status }) => status);
			return statuses.filter((status) => ['success', 'error'].includes(status)).length === count ? statuses : undefined;
		});
	}

	test('each contract of a request gets one internal comment, other files none', async () => {
		const picture = { id: '3', fileName: 'logo.png', contentType: 'image/png', content: Buffer.from('PNG') };
		const request = jira.create('LEGAL-1', 'Two contracts', await attach(), await attach('services-agreement.docx'), picture);
		stage.answer('completed', 'Liability is unlimited.');
		const workflow = await stage.publish('jira-contracts.json');
		await stage.finished(await stage.asked(workflow, () => jira.report(request)));
		const asked = stage.sandbox.questions.flatMap(({ attachments }) => attachments);
		expect(asked.map((file) => ('fileName' in file ? file.fileName : '')).sort()).toEqual(['mutual-nda.pdf', 'services-agreement.docx']);
		expect(request.comments.map(({ text, isPublic }) => [text.split('\n')[0], text.includes('unlimited'), isPublic])).toEqual([
			['Review of mutual-nda.pdf by Legal AI. Nobody has checked it yet.', true, false],
			['Review of services-agreement.docx by Legal AI. Nobody has checked it yet.', true, false],
		]);
	});

	test('created, attached and delivered again, all in one moment: one question and one comment', async () => {
		const request = jira.create('LEGAL-1', 'NDA', await attach());
		const workflow = await stage.publish('jira-contracts.json');
		stage.answer('completed', 'Fine.');
		await Promise.all([jira.report(request), jira.report(request, attachment), jira.report(request), jira.report(request, attachment)]);
		await until('the question', () => Promise.resolve(stage.sandbox.questions[0]));
		await until('the wait', async () =>
			(await stage.n8n.executions(workflow.id)).find(({ status }) => status === 'waiting'),
		);
		for (const { id } of stage.sandbox.questions) await stage.sandbox.complete(id);
		expect(await allOver(workflow, 4)).toEqual(['success', 'success', 'success', 'success']);
		expect([stage.sandbox.questions.length, request.comments.length]).toEqual([1, 1]);
	});

	test('a status is changed, a file is removed, or our own comment comes in: nothing is asked', async () => {
		const request = jira.create('LEGAL-1', 'NDA', await attach());
		const workflow = await stage.publish('jira-contracts.json');
		for (const change of [{ field: 'status', to: '3' }, { field: 'Attachment', to: null }])
			await stage.finished((await stage.started(workflow, () => jira.report(request, [change]))).id);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	test.each([
		['declined', 'filtered', 'It is out of scope.'],
		['failed', 'error', 'The file is damaged.'],
	] as const)('a review that was %s is told to the team', async (_what, status, reason) => {
		const request = jira.create('LEGAL-1', 'NDA', await attach());
		const workflow = await stage.publish('jira-contracts.json');
		stage.sandbox.settings.answer = () => (status === 'filtered' ? { status, answer: reason, reason } : { status, answer: reason });
		await stage.finished(await stage.asked(workflow, () => jira.report(request)));
		expect(request.comments).toEqual([{ text: expect.stringContaining(reason) as unknown, isPublic: false }]);
	});

	test('the key has expired: the team is told in the request, and the execution fails', async () => {
		const request = jira.create('LEGAL-1', 'NDA', await attach());
		const workflow = await stage.publish('jira-contracts.json');
		stage.expireKey();
		expect((await stage.started(workflow, () => jira.report(request))).failure?.message).toContain('LEGAL-1 was not reviewed');
		expect(request.comments.map(({ text }) => text)).toEqual(['Legal AI could not review mutual-nda.pdf. Please read it yourself.']);
	});

	test('the comment fails and the execution is retried: nothing is asked again', async () => {
		const request = jira.create('LEGAL-1', 'NDA', await attach());
		const workflow = await stage.publish('jira-contracts.json');
		stage.answer('completed', 'Fine.');
		stage.products.refuse(/servicedeskapi/, 503, 1);
		const id = await stage.asked(workflow, () => jira.report(request));
		const failed = await stage.n8n.waitForExecution(id);
		expect(failed.status).toBe('error');
		expect((await stage.retried(workflow, failed)).status).toBe('success');
		expect([stage.sandbox.questions.length, request.comments.length]).toEqual([1, 1]);
	});
});

describe('task-digest.json', () => {
	const due = (days: number): { complete_by: string } => ({ complete_by: new Date(Date.now() + days * 86_400_000).toISOString() });
	const sent = (): string[] => stage.smtp.emails.map(({ to, subject }) => `${to.text}: ${subject.replace(/ by .*:/, '')}`);

	test('due tasks are listed each day, late ones are escalated once, and nothing is archived', async () => {
		const { tasks } = stage.sandbox;
		tasks.create({ title: 'In time', ...due(5) });
		for (let number = 1; number <= 60; number++) tasks.create({ title: `Due ${number}`, ...due(-7) });
		tasks.create({ title: 'Due after the weekend', ...due(3) });
		const late = tasks.create({ title: 'Weeks late', tags: ['nda'], ...due(-30) });
		tasks.create({ title: 'Known to be late', tags: ['escalated'], ...due(-40) });
		tasks.create({ title: 'Completed', status: 'completed', tags: ['jira', 'jira-LEGAL-1'], ...due(-30) });
		tasks.create({ title: 'Somebody else completed this', status: 'completed' });
		const workflow = await stage.publish('task-digest.json');
		await stage.run(workflow, 'Weekdays at Seven');
		await stage.run(workflow, 'Weekdays at Seven');
		const digest = 'legal-team@example.com: Legal tasks due 63';
		expect(sent().sort()).toEqual(['head-of-legal@example.com: Legal tasks more than two weeks late: 1', digest, digest]);
		expect(stage.smtp.emails[0]?.text?.trim().split('\n')).toHaveLength(51);
		expect(stage.smtp.emails.map(({ text }) => text ?? '')).toContainEqual(
			expect.stringMatching(/^- LEGAL-\d+ Weeks late \(due \w+ \d+\)\s*$/),
		);
		expect(late.tags).toEqual(['nda', 'escalated']);
		expect(tasks.ordered().filter(({ archived }) => archived)).toEqual([]);
	});

	test('the email fails: nothing is tagged, and the head of legal is told the next day', async () => {
		const late = stage.sandbox.tasks.create({ title: 'Weeks late', ...due(-30) });
		const workflow = await stage.publish('task-digest.json');
		stage.smtp.isDown = true;
		expect((await sweep(workflow, 'Weekdays at Seven')).status).toBe('error');
		expect(late.tags).toEqual([]);
		stage.smtp.isDown = false;
		await stage.run(workflow, 'Weekdays at Seven');
		expect(sent()).toContain('head-of-legal@example.com: Legal tasks more than two weeks late: 1');
		expect(late.tags).toEqual(['escalated']);
	});

	test('no task is due: no email', async () => {
		stage.sandbox.tasks.create({ title: 'In time', ...due(5) });
		await stage.run(await stage.publish('task-digest.json'), 'Weekdays at Seven');
		expect(sent()).toEqual([]);
	});
});

describe('hubspot-nda.json', () => {
	const poll = 'Every Five Minutes';
	const status = ({ properties }: HubspotDeal): string | undefined => properties.nda_status;
	const draft = (): void => { stage.answer('completed', 'Here it is.', 'NDA Meridian.docx'); };

	/** One check of HubSpot, in which as many questions are asked as there are deals. */
	async function drafted(workflow: StoredWorkflow): Promise<Execution> {
		return await stage.n8n.waitForExecution(await stage.asked(workflow, () => stage.n8n.run(workflow, { trigger: poll })));
	}

	/** A lawyer approves a draft. */
	function approve(title: string): void {
		const task = stage.sandbox.tasks.ordered().find((each) => each.title === title);
		if (task !== undefined) stage.sandbox.tasks.update(task, { status: 'completed' });
	}
	const approval = 'Approve the NDA with Meridian Analytics, Inc. for sales';

	test('a requested NDA is drafted, approved by a lawyer, and only then attached as ready to sign, once', async () => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		draft();
		expect((await drafted(workflow)).status).toBe('success');
		expect([status(deal), deal.files, stage.taskTitles()]).toEqual(['with_legal', [], [approval]]);
		expect(stage.sandbox.questions[0]?.text).toContain('Meridian Analytics, Inc., 1 Main Street, Boston');
		await stage.run(workflow, poll);
		expect([status(deal), deal.files]).toEqual(['with_legal', []]);
		approve(approval);
		await stage.run(workflow, poll);
		expect([status(deal), deal.files]).toEqual(['ready_to_sign', ['NDA Meridian.docx']]);
		await stage.run(workflow, poll);
		expect([deal.files.length, stage.sandbox.questions.length]).toEqual([1, 1]);
		expect(stage.sandbox.tasks.ordered().map(({ archived }) => archived)).toEqual([true]);
	});

	test('five are requested at once: each gets its own draft', async () => {
		const deals = ['1', '2', '3', '4', '5'].map((id) => hubspot.request(id, { nda_party: `Party ${id}` }));
		const workflow = await stage.publish('hubspot-nda.json');
		stage.sandbox.settings.answer = ({ text }) => {
			const fileName = `NDA ${/Party \d/.exec(text)?.[0] ?? ''}.docx`;
			return { status: 'completed', answer: 'Here.', attachments: [{ fileName, contentType: 'application/msword', content: Buffer.from('x') }] };
		};
		await drafted(workflow);
		for (const title of stage.taskTitles()) approve(title);
		await stage.run(workflow, poll);
		expect(deals.map(({ files }) => files)).toEqual(['1', '2', '3', '4', '5'].map((id) => [`NDA Party ${id}.docx`]));
	});

	test('HubSpot finds the deal again, because its search is late: nothing is asked again', async () => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		hubspot.stale.set('101', { ...deal.properties });
		draft();
		await drafted(workflow);
		await stage.run(workflow, poll);
		expect([stage.sandbox.questions.length, stage.taskTitles()]).toEqual([1, [approval]]);
	});

	test('the address is missing: the salesperson sees it, and nothing is asked', async () => {
		const deal = hubspot.request('101', { nda_address: ' ' });
		await stage.run(await stage.publish('hubspot-nda.json'), poll);
		expect([status(deal), stage.sandbox.questions.length]).toEqual(['details_missing', 0]);
	});

	test.each([
		['declined', () => { stage.answer('filtered', 'Not for us.'); }],
		['answered without a file', () => { stage.answer('completed', 'I would rather not.'); }],
		['answered with two files', () => { stage.answer('completed', 'Here.', 'a.docx', 'b.docx'); }],
	] as const)('a request that is %s becomes a task to write the NDA', async (_what, answer) => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		answer();
		await drafted(workflow);
		expect([status(deal), stage.taskTitles()]).toEqual(['with_legal', ['Draft the NDA with Meridian Analytics, Inc. for sales']]);
	});

	test('the key has expired: the deal says so, and its NDA can be requested again', async () => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		stage.expireKey();
		expect((await sweep(workflow, poll)).status).toBe('error');
		expect(status(deal)).toBe('failed');
		await stage.sandbox.reset();
		deal.properties.nda_status = 'requested';
		draft();
		await drafted(workflow);
		expect(status(deal)).toBe('with_legal');
	});

	test('the deal can\'t be marked: nothing is asked until it can', async () => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		stage.products.refuse(/^PUT api\.hubapi\.com\/deals/, 429, 1);
		await sweep(workflow, poll);
		expect([status(deal), stage.sandbox.questions.length]).toEqual(['requested', 0]);
		draft();
		await drafted(workflow);
		expect(status(deal)).toBe('with_legal');
	});

	test('a deal was deleted before its approved NDA could be attached: it is reported, and the others get theirs', async () => {
		const [, kept] = [hubspot.request('1', { nda_party: 'Gone' }), hubspot.request('2', { nda_party: 'Kept' })];
		const workflow = await stage.publish('hubspot-nda.json');
		draft();
		await drafted(workflow);
		for (const title of stage.taskTitles()) approve(title);
		hubspot.deals.delete('1');
		expect((await sweep(workflow, poll)).failure?.message).toContain('could not be attached');
		expect([status(kept), kept.files.length]).toEqual(['ready_to_sign', 1]);
	});

	test('attaching fails once: the next check attaches the file, once', async () => {
		const deal = hubspot.request('101');
		const workflow = await stage.publish('hubspot-nda.json');
		draft();
		await drafted(workflow);
		approve(approval);
		stage.products.refuse(/crm\/v3\/objects\/notes/, 503, 1);
		expect((await sweep(workflow, poll)).status).toBe('error');
		expect([status(deal), deal.files]).toEqual(['with_legal', []]);
		await stage.run(workflow, poll);
		expect([status(deal), deal.files.length]).toEqual(['ready_to_sign', 1]);
	});
});
