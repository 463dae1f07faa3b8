import type { Organization } from './organization.mts';
import type { TaskDraft } from './tasks.mts';

const DAY = 86_400_000;

/** The tasks that a sandbox starts with. One is archived and one is a draft: the list leaves them out. */
export function seededTasks({ people, agents, teams }: Organization, now: number): TaskDraft[] {
	const inDays = (days: number) => new Date(now + days * DAY).toISOString();
	return [
		{
			title: 'Review supplier NDA',
			description: 'Mutual NDA with Northwind, our playbook applies.',
			assigned_to: people.ada,
			priority: 'high',
			complete_by: inDays(2),
			tags: ['nda', 'supplier'],
		},
		{
			title: 'Redline cloud services agreement',
			description: 'Second round of comments.',
			additional_context: 'Liability cap is the open point.',
			assigned_to: people.ben,
			assigned_agent: agents.redliner,
			matter_id: 'bd76e2f8-d04c-4597-8b3a-e1f6c574898d',
			status: 'in_progress',
			priority: 'urgent',
			complete_by: inDays(1),
			tags: ['saas'],
			comments: ['Procurement wants this before the quarter ends.'],
		},
		{
			title: 'Answer data subject request',
			created_by: people.ben,
			assigned_team_id: teams.commercial,
			team_id: teams.privacy,
			priority: 'high',
			complete_by: inDays(10),
			tags: ['privacy'],
		},
		{
			title: 'Update consultancy template',
			priority: 'low',
			tags: ['templates'],
			shared_with: [people.ben],
		},
		{
			title: 'File signed lease',
			status: 'completed',
			priority: 'medium',
			complete_by: inDays(-3),
		},
		{ title: 'Collect board minutes', created_by: people.ben },
		{ title: 'Old trademark search', archived: true, priority: 'low' },
		{
			title: 'Triage: marketing claims',
			draft: true,
			description: 'Staged by intake, waiting for a person.',
		},
	];
}
