/** A text about something that did not work: what happened, and what to do next. `<name>` stands for a value. */
export interface MessageTemplate {
	readonly message: string;
	readonly description: string;
}

/** A template with its values filled in: what the person in the editor reads. */
export type UserMessage = MessageTemplate;

/** A text of a catalog: what happened, and after the first period what to do. */
type Template<Text extends string> = Text extends `${infer Message}. ${infer Description}`
	? { readonly message: Message; readonly description: Description }
	: never;

type Templates<Texts> = { readonly [Name in keyof Texts]: Template<Texts[Name] & string> };

/** Makes a catalog of its texts: each says in its first sentence what happened, and in the others what to do. */
export function messages<const Texts extends Readonly<Record<string, string>>>(
	texts: Texts,
): Templates<Texts> {
	const split = Object.entries(texts).map(([name, text]) => {
		const end = text.indexOf('. ');
		return [name, { message: text.slice(0, end), description: text.slice(end + 2) }];
	});
	return Object.fromEntries(split) as Templates<Texts>;
}

type Placeholder<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}`
	? Name | Placeholder<Rest>
	: never;

type Values<Texts extends string> = Readonly<Record<Placeholder<Texts>, string | number>>;

/** The values that a text needs, as an argument. Leaving one out is a compile error. */
type ValuesArgument<Texts extends string> = [Placeholder<Texts>] extends [never]
	? []
	: [values: Values<Texts>];

/** Fills in the values of a single sentence, e.g. a hint. */
export function fillText<const Text extends string>(
	text: Text,
	...[values]: ValuesArgument<Text>
): string {
	return replacePlaceholders(text, values);
}

/** Fills in a template's values. */
export function fillTemplate<const Template extends MessageTemplate>(
	{ message, description }: Template,
	...[values]: ValuesArgument<Template['message'] | Template['description']>
): UserMessage {
	return {
		message: replacePlaceholders(message, values),
		description: replacePlaceholders(description, values),
	};
}

/** No value begins a tag: values may be anybody's words, and n8n's editor shows descriptions and hints as HTML. */
function replacePlaceholders(text: string, values: object = {}): string {
	return text.replace(/<(\w+)>(\.?)/g, (placeholder, name: string, period: string) => {
		const value: unknown = Reflect.get(values, name);
		if (value === undefined) return placeholder;
		const shown = String(value).replaceAll('<', '‹');
		// A sentence of the service may end with a period of its own.
		return period === '' ? shown : shown.replace(/\.?$/, period);
	});
}

const MOST_LISTED = 5;

/** The first few of several values, for a sentence. */
export function shortList(values: readonly string[]): string {
	return values.slice(0, MOST_LISTED).join(', ') + (values.length > MOST_LISTED ? ', …' : '');
}

/** The error for something that the user has to change, in words of the catalog. */
export function invalidInput<const Template extends MessageTemplate>(
	template: Template,
	...values: ValuesArgument<Template['message'] | Template['description']>
): InvalidInputError {
	return new InvalidInputError(fillTemplate(template, ...values));
}

/** Something that the user has to change. The item is added where it is known. */
export class InvalidInputError extends Error {
	readonly description: string;

	constructor({ message, description }: UserMessage) {
		super(message);
		this.description = description;
	}
}
