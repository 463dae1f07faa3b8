import type { INodeType } from 'n8n-workflow';

import { searchAgents, searchAssistants, searchPlaybooks, searchTemplates } from './libraryLists';
import { getStatuses, searchMatters, searchPeople, searchPriorities, searchStatuses, searchTeams } from './seenOnTasks';
import { searchDrafts, searchTasks } from './taskSearch';

/** The lists that the editor shows behind fields with several values. */
export const loadOptions: NonNullable<NonNullable<INodeType['methods']>['loadOptions']> = { getStatuses };

/** The lists that the editor shows behind the node's resource locators. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> = {
	searchAgents,
	searchAssistants,
	searchDrafts,
	searchMatters,
	searchPeople,
	searchPlaybooks,
	searchPriorities,
	searchStatuses,
	searchTasks,
	searchTeams,
	searchTemplates,
};
