import {
	assistantOf,
	triggerUrl,
	triggerUrlFor,
} from '../../../nodes/LegalAi/callbacks/triggerUrl.ts';

test.each([
	['http://localhost:5678/webhook-waiting/12', 'w1', 'http://localhost:5678/webhook/legal-ai/w1'],
	[
		'http://localhost:5678/webhook-waiting/12',
		'a/../b?c',
		'http://localhost:5678/webhook/legal-ai/a%2F..%2Fb%3Fc',
	],
	[
		'https://n8n.example.com/base/webhook-waiting/12?signature=s',
		'w1',
		'https://n8n.example.com/base/webhook/legal-ai/w1',
	],
	[
		'https://n8n.example.com/webhook-waiting/x/webhook-waiting/12',
		'w1',
		'https://n8n.example.com/webhook-waiting/x/webhook/legal-ai/w1',
	],
	['https://n8n.example.com/renamed-waiting/12', 'w1', undefined],
])(
	'from the resume address %j, the trigger of the workflow %j is expected at %j',
	(resumeUrl, workflowId, expected) => {
		expect(triggerUrl(new URL(resumeUrl), workflowId)).toBe(expected);
	},
);

test('a callback address names the assistant, and the trigger reads it from there', () => {
	const url = triggerUrlFor('https://n8n.example.com/webhook/legal-ai/w1', 'a&b=c/ö');
	expect(url).toBe('https://n8n.example.com/webhook/legal-ai/w1?assistant_id=a%26b%3Dc%2F%C3%B6');
	expect(assistantOf(Object.fromEntries(new URL(url).searchParams))).toBe('a&b=c/ö');
});

test.each([
	undefined,
	null,
	{},
	{ assistant_id: '' },
	{ assistant_id: ['a', 'b'] },
	{ assistant_id: { a: 'b' } },
	[],
])('no assistant is read from the query %j', (query) => {
	expect(assistantOf(query)).toBeUndefined();
});
