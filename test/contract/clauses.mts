import { account, limits } from './account.mts';
import type { Clause } from './clause.mts';
import { files } from './files.mts';
import { lists } from './lists.mts';
import { answers, asking, callbacks } from './questions.mts';
import { tasks } from './tasks.mts';

/** The whole contract, in the order in which it is tried: the tasks while a question is processed. */
export const clauses: Clause[] = [
	...account,
	...lists,
	...files,
	...asking,
	...tasks,
	...answers,
	...callbacks,
	...limits,
];
