import { describe, expect, test } from 'vitest';

import { chain, node, webhook } from '../../../harness/workflows.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();

test.each(['dpa-check.json', 'nda-triage.json', 'version-changes.json'])(
	'%s: the form asks for a login, and nothing is asked for an address outside the company',
	async (name) => {
		await stage.publish(name);
		expect(
			(
				await stage.submit(
					{ 'Your Email': 'sales@example.com' },
					{ user: 'stranger', password: '' },
				)
			).status,
		).toBe(401);
		await stage.submit({ 'Your Email': 'someone@example.com.meridian.example' });
		await stage.settled(1);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);

describe('error-workflow.json', () => {
	const steps = [
		webhook('fails'),
		node('Read Contract', 'n8n-nodes-base.stopAndError', { errorMessage: 'A quote' }),
	];

	/** Publishes the example, and lets another workflow fail so many times in a row; resolves once that is reported. */
	async function fail(times: number, name: string): Promise<void> {
		await stage.publish('error-workflow.json');
		const failing = await stage.n8n.publish(
			chain(name, steps, { errorWorkflow: stage.workflow.id }),
		);
		await Promise.all(
			Array.from({ length: times }, async () => await stage.n8n.callWebhook('fails')),
		);
		await stage.settled(times);
		await stage.n8n.deactivate(failing);
	}
	const subjects = (): string[] => stage.smtp.emails.map(({ subject }) => subject);

	test('a step that fails is reported by email and as a task, which does not quote it', async () => {
		await fail(1, 'NDA review');
		const text = /NDA review failed in the step Read Contract:\s+A quote\s+http/;
		expect(stage.smtp.emails).toMatchObject([
			{ to: { text: 'automation@example.com' }, text: expect.stringMatching(text) as unknown },
		]);
		const [task] = stage.sandbox.tasks.ordered();
		expect(task?.title).toBe('A workflow stopped: NDA review');
		expect(task?.description).toContain('in the step Read Contract');
		expect(task?.description).not.toContain('A quote');
	});

	test('thirty failures at once are one email and one task, and one more email says how often it failed again', async () => {
		await fail(30, 'Flood');
		expect([subjects(), stage.taskTitles()]).toEqual([
			['Workflow failed: Flood'],
			['A workflow stopped: Flood'],
		]);
		await stage.run('Every Four Hours');
		await stage.run('Every Four Hours');
		expect(subjects()).toEqual([
			'Workflow failed: Flood',
			expect.stringMatching(/^Workflows failed again: \d+$/),
		]);
		expect(stage.smtp.emails[1]?.text).toContain(
			'- Flood: 29 failures, the last one in the step Read Contract',
		);
	});

	test('the first email fails: the next one reports that, too', async () => {
		stage.smtp.isDown = true;
		await fail(1, 'Unheard');
		stage.smtp.isDown = false;
		await stage.run('Every Four Hours');
		expect(stage.smtp.emails).toMatchObject([
			{ text: expect.stringContaining('- Unheard: 1 failure') as unknown },
		]);
	});

	test('the key has expired: the email is sent', async () => {
		stage.expireKey();
		await fail(1, 'Expired');
		expect(subjects()).toEqual(['Workflow failed: Expired']);
	});
});
