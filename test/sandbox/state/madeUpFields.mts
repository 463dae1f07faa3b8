const REQUEST = 'End your answer with one JSON object';
/** A text of JSON: what the node writes the names and the choices of answer fields as. */
const TEXT = String.raw`"(?:[^"\\\n]|\\.)*"`;
const FIELD = new RegExp(`^(${TEXT}): (.*)$`, 'gm');
const COLUMN = new RegExp(`(${TEXT}): ([^",]+)`, 'g');
const CHOICES = new RegExp(`^one of ((?:${TEXT}(?:, )?)+)`);

const DAY = 86_400_000;

/** A value for a field or column, by the words that the node asks for it with. */
function madeUpValue(name: string, wanted: string): unknown {
	if (wanted.startsWith('list of objects')) return [madeUpValues(wanted.matchAll(COLUMN))];
	if (wanted.startsWith('list of texts')) return [`First of ${name}`, `Second of ${name}`];
	if (wanted.startsWith('true or false')) return true;
	if (wanted.startsWith('date')) return new Date(Date.now() + 10 * DAY).toISOString().slice(0, 10);
	if (wanted.startsWith('number')) return 12;
	if (wanted.startsWith('the first ten words')) return 'may terminate this Agreement';
	const [, listed] = CHOICES.exec(wanted) ?? [];
	if (listed === undefined) return `${name}, made up`;
	const choices = JSON.parse(`[${listed.replace(/, $/, '')}]`) as string[];
	return choices[Math.floor(choices.length / 2)];
}

function madeUpValues(asked: Iterable<RegExpMatchArray>) {
	return Object.fromEntries(
		[...asked].map(([, quotedName = '""', wanted = '']) => {
			const name = JSON.parse(quotedName) as string;
			return [name, madeUpValue(name, wanted)];
		}),
	);
}

/** What a question says before it asks for answer fields. */
export const textBeforeFields = (question: string) => question.split(REQUEST, 1).join();

/** The object for the answer fields that a question asks for, in a fence; undefined if it asks for none. */
export function madeUpFields(question: string) {
	const request = question.slice(textBeforeFields(question).length);
	if (request === '') return undefined;
	const values = madeUpValues(request.matchAll(FIELD));
	return `\`\`\`json\n${JSON.stringify(values, null, 2)}\n\`\`\``;
}
