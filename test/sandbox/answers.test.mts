import type { AnswerField } from '../../nodes/LegalAi/resources/question/answerFields.ts';
import { requestForFields } from '../../nodes/LegalAi/resources/question/answerFields.ts';
import { readAnswerFields } from '../../nodes/LegalAi/resources/question/readAnswer.ts';
import { madeUpAnswer } from './state/answers.mts';
import type { AskedAttachment } from './state/questions.mts';

const nda: AskedAttachment = {
	kind: 'upload',
	jobId: 'job-1',
	fileName: 'mutual-nda.pdf',
	contentType: 'application/pdf',
	contentLength: 100,
	sha256: 'abc',
	unzip: false,
};
const answerTo = (
	text: string,
	more: { attachments?: AskedAttachment[]; followUp?: boolean } = {},
) => madeUpAnswer({ text, attachments: [], followUp: false, ...more });
const filesWith = (text: string, attachments: AskedAttachment[] = []) =>
	answerTo(text, { attachments }).attachments?.map(({ fileName }) => fileName);

describe('what the sandbox makes up', () => {
	test.each([
		['Redline this NDA against the playbook', [nda], ['mutual-nda-redline.docx']],
		['Please give us a redline.', [{ ...nda, fileName: 'Acme v2.docx' }], ['Acme v2-redline.docx']],
		[
			'Redline it.',
			[{ kind: 'url', url: 'https://files.example/terms%20v1.pdf?key=x', unzip: false } as const],
			['terms v1-redline.docx'],
		],
		['Redline this NDA against the playbook', [], []],
		['Review this NDA', [nda], []],
		['Draft the document from the template as one Word file.', [], ['draft.docx']],
		['Draft an NDA with Acme', [], ['draft.docx']],
		['Review this draft', [nda], []],
	])('comes with the file that is asked for: "%s" with %j', (text, attachments, expected) => {
		expect(filesWith(text, attachments)).toEqual(expected);
	});

	test('is a redline that Word opens, with tracked changes', () => {
		const [redline] = answerTo('Redline this', { attachments: [nda] }).attachments ?? [];
		expect(redline?.content.subarray(0, 2).toString()).toBe('PK');
		expect(redline?.content.includes('word/document.xml')).toBe(true);
	});

	const columns = (['text', 'number', 'boolean', 'date', 'quote'] as const).map((type) => ({
		name: `The ${type}, "as agreed"`,
		type,
	}));
	const field = (type: AnswerField['type'], more: Partial<AnswerField> = {}): AnswerField => ({
		name: `A ${type}: "said"`,
		type,
		choices: [],
		columns: [],
		description: `If it says so: ("no": text, "maybe")\nin any annex`,
		required: true,
		...more,
	});
	test.each<AnswerField>([
		field('text'),
		field('number'),
		field('boolean'),
		field('date'),
		field('choice', { choices: ['follows our playbook', 'deviates, a lot', '"third"'] }),
		field('list'),
		field('quote'),
		field('table', { columns }),
	])('has a value for an answer field of the type $type', (asked) => {
		const { answer } = answerTo(`Review it.\n\n${requestForFields([asked]) ?? ''}`);
		const { read } = readAnswerFields(answer ?? '', [asked]);
		expect(read.fields[asked.name]).toEqual(expect.anything());
		expect(read).not.toHaveProperty('unread_fields');
		if (asked.type !== 'table') return;
		const [row = {}] = read.fields[asked.name] as object[];
		expect(Object.values(row)).not.toContain(null);
	});

	test('has a value for each of several answer fields, and says what was reviewed', () => {
		const asked = [field('text', { name: 'Parties' }), field('date', { name: 'Notice By' })];
		const { answer } = answerTo(`Review it.\n\n${requestForFields(asked) ?? ''}`);
		const { read } = readAnswerFields(answer ?? '', asked);
		expect(Object.keys(read.fields)).toEqual(['Parties', 'Notice By']);
		expect(read.fields).not.toContain(null);
		expect(answer).toContain('You asked: "Review it."');
	});

	test('is an answer to a follow-up that asks to be declined, as the service declines none', () => {
		const { status, answer } = answerTo('[filtered] And lunch?', { followUp: true });
		expect(status).toBe('completed');
		expect(answer).not.toContain('declined');
	});
});
