import type { Stage } from '../products/stage.mts';

/**
 * What has become of an item: what was written about it, or to somebody, and the tasks about it. In words that are the same for
 * each: its name and the numbers of tasks are left out.
 */
export function describeOutcome({ written, service }: Stage, name: string, about = name) {
	const words = written
		.filter(({ title, to, text }) => [title, to, text].join(' ').includes(about))
		.map(({ text, files, isDraft }) =>
			[...(isDraft === true ? ['draft'] : []), readBeginning(text, name), ...files].join(', '),
		);
	const tasks = service.tasks
		.ordered()
		.filter(({ title, description }) => `${title} ${String(description)}`.includes(name))
		.map(({ status, additional_context: added }) =>
			added === null ? status : `${status}, ${readBeginning(added, name)}`,
		);
	return [...words, ...tasks];
}

/** The first sentence of a text. */
export function readBeginning(text: string, name: string) {
	const [first = ''] = text.trim().split(/[.:\n]/);
	return first.replaceAll(name, 'it').replaceAll(/LEGAL-\d+/g, '#');
}
