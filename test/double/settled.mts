import type { PageStyle, ServiceDescription } from './description.mts';

/** A service like another, in what the node is known to cope with. */
export function settled({ libraries, tasks, questions, ...rest }: ServiceDescription): ServiceDescription {
	const wrapper = tasks.envelope.length > 1 ? [] : tasks.envelope.filter((name) => name === 'task' || name === 'data');
	return {
		...rest,
		libraries: { ...libraries, page: settledPage(libraries.page) },
		tasks: { ...tasks, page: settledPage(tasks.page), envelope: wrapper },
		questions: { ...questions, spelling: 'both' },
	};
}

function settledPage(page: PageStyle): PageStyle {
	return page.list.length > 1 ? { ...page, beside: page.beside.filter((each) => !each.endsWith('list')) } : page;
}
