import type { INodeType } from 'n8n-workflow';

import { searchPriorities, searchStatuses, searchTasks } from './taskSearch';
import { searchAssistants, searchPlaybooks, searchTemplates } from './completeListSearch';

/** The lists that the editor shows behind the node's resource locators. */
export const listSearch: NonNullable<NonNullable<INodeType['methods']>['listSearch']> = {
	searchAssistants,
	searchPlaybooks,
	searchPriorities,
	searchStatuses,
	searchTasks,
	searchTemplates,
};
