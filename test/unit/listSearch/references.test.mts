import { expect, test } from 'vitest';

import { referencesIn, type ReferenceKind } from '../../../nodes/LegalAi/listSearch/references.ts';

const ADA = '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60';
const BEN = '2e1d0b63-7c2e-4a1f-8c69-3b8e5d4f6071';
const AGENT = '8a43bfc5-a719-4264-9d08-bec3d2415a6f';

test.each<[ReferenceKind, object, object[]]>([
	['person', { assigned_to: ADA, created_by: BEN }, [{ id: ADA }, { id: BEN }]],
	['person', { assigned_to: ADA, assigned_to_name: 'Ada Park' }, [{ id: ADA, name: 'Ada Park' }]],
	['person', { assignees: [{ user_id: ADA, user_name: 'Ada Park' }, BEN] }, [{ id: ADA, name: 'Ada Park' }, { id: BEN }]],
	['person', { assigned_to: { id: ADA, name: ' Ada Park ', team_id: BEN } }, [{ id: ADA, name: 'Ada Park' }]],
	['person', { assignees: [{ type: 'agent', id: AGENT }, { type: 'user', id: ADA }] }, [{ id: ADA }]],
	['person', { assigned_agent: AGENT, assignees: [AGENT, ADA] }, [{ id: ADA }]],
	['person', { assigned_to: null, created_by: 'ada@example.com', owner: {}, assignees: 'none', id: ADA, matter_id: BEN }, []],
	['person', { assigned_to: ADA, assigned_to_name: ' Ada Park ', owner: BEN, owner_name: ' ' }, [{ id: ADA, name: 'Ada Park' }, { id: BEN }]],
	['person', { assignee: ADA, assignee_id: BEN }, [{ id: ADA }, { id: BEN }]],
	['person', { assigned_to: { id: 'ada', user_id: ADA } }, [{ id: ADA }]],
	['person', { assigned_to: { guid: BEN, id_of_tenant: BEN, id: ADA } }, [{ id: ADA }]],
	['person', { assigned_to: { organization_id: BEN, id: ADA } }, [{ id: ADA }]],
	['person', { assigned_to: { team_id: BEN, user_id: ADA } }, [{ id: ADA }]],
	['person', { assigned_to: { organization_id: BEN, user_id: ADA } }, [{ id: ADA }]],
	['person', { assigned_to: { organization_id: BEN, name: 'Ada Park' } }, []],
	['person', { assigned_to: { id: ADA }, assigned_to_name: 'Ada Park' }, [{ id: ADA, name: 'Ada Park' }]],
	['person', { assignees: [ADA, BEN], assignees_name: 'Ada Park' }, [{ id: ADA }, { id: BEN }]],
	['person', { assigned_agent: AGENT, owner: { name: 'Somebody' }, assignees: [[ADA]] }, []],
	['person', { assigned_to: `${ADA}-draft`, owner: `urn:uuid:${ADA}` }, []],
	['person', { previous_assignee: ADA, owner_team: BEN }, []],
	['team', { team_id: ADA, team_name: 'Privacy', assigned_team_id: BEN }, [{ id: ADA, name: 'Privacy' }, { id: BEN }]],
	['team', { team: { id: ADA, name: 'Privacy' }, teams: [BEN] }, [{ id: ADA, name: 'Privacy' }, { id: BEN }]],
	['team', { team: { user_id: BEN, team_id: ADA, name: 'Privacy' } }, [{ id: ADA, name: 'Privacy' }]],
	['person', { assigned_agent: { user_id: BEN, assistant_id: ADA }, assignees: [ADA, BEN] }, [{ id: BEN }]],
	['matter', { matter: { organization_id: BEN, matter_id: ADA } }, [{ id: ADA }]],
	['team', { teams: [{ type: 'team', id: ADA, name: 'Privacy' }] }, [{ id: ADA, name: 'Privacy' }]],
	['team', { team_ids: ADA, teams_name: 'Privacy' }, [{ id: ADA }]],
	['team', { previous_team: ADA, team_lead: BEN }, []],
	['matter', { matter: { uuid: ADA }, matter_name: 'Acme v. Bolt' }, [{ id: ADA, name: 'Acme v. Bolt' }]],
	['matter', { matter: { uuid: ADA, title: 'Acme' }, matter_name: 'Acme v. Bolt' }, [{ id: ADA, name: 'Acme' }]],
	['matter', { parent_matter_id: ADA, matter_owner: BEN }, []],
	['matter', { matter_id: ADA, matter: { uuid: ADA, title: 'Acme v. Bolt' } }, [{ id: ADA }, { id: ADA, name: 'Acme v. Bolt' }]],
])('%s: %j refers to %j', (kind, task, expected) => {
	expect(referencesIn({ ...task }, kind)).toEqual(expected);
});
