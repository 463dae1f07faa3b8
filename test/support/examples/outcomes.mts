import type { Stage } from '../products/stage.mts';

/** What has become of an item, in words that are the same for each: its name and the numbers of tasks are left out. */
export class Outcomes {
	readonly #stage: Stage;

	constructor(stage: Stage) {
		this.#stage = stage;
	}

	/** The tasks about an item: the status of each, and how the words begin that were added to it. */
	tasks(name: string) {
		return this.#stage.sandbox.tasks
			.ordered()
			.filter(({ title, description }) => `${title} ${String(description)}`.includes(name))
			.map(({ status, additional_context: words }) =>
				words === null ? status : `${status}, ${beginningOf(words, name)}`,
			);
	}

	/** How the emails to an address begin, with the names of their files. */
	emails(address: string, name: string) {
		return this.#stage.smtp.emails
			.filter(({ to }) => to.text === address)
			.map(({ text = '', attachments }) =>
				[beginningOf(text, name), ...attachments.map(({ filename }) => filename)].join(', '),
			);
	}
}

/** The first sentence of a text. */
export function beginningOf(text: string, name: string) {
	const [first = ''] = text.trim().split(/[.:\n]/);
	return first.replaceAll(name, 'it').replaceAll(/LEGAL-\d+/g, '#');
}
