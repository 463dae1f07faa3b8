import type { INodeParameters } from 'n8n-workflow';

import { addPassedAlong } from '../../../nodes/LegalAi/trigger/address.ts';
import { logs, NODE, test, textWith } from '../../support/fixtures.mts';
import { callbackPayload, deliver } from '../../support/engine/publishedTrigger.mts';

test.override({ serviceOptions: { answerTime: [0, 0], webhookSecret: 'whsec-first' } });

const asking = (callbackWorkflow: string, ...value: INodeParameters[]) => ({
	question: 'Is the cap usual?',
	callbackTarget: 'workflow',
	callbackWorkflow,
	passAlong: { value },
});

/** The address of a trigger with values that travel along. */
function addressWith(address: string, secret: string) {
	const url = new URL(address);
	addPassedAlong(url, { to: 'ben' }, secret);
	return url.href;
}

const TO = { name: ' to ', value: '={{ $json.from }}' };

test('values that are passed along come out at the trigger, each item with its own, and show nowhere on their way', async ({
	service,
	run,
	listen,
}) => {
	const { workflowId, waitForExecution } = await listen();
	const before = logs.length;
	const items = ['ben@example.com', ' <Ann>\n"Müller" '].map((from) => ({ json: { from } }));
	const parameters = asking(
		workflowId,
		TO,
		{ name: 'case', value: 7 },
		{ name: 'note', value: '={{ $json.note }}' },
	);
	const { json, error } = await run('question.ask', parameters, { items });
	expect(error).toBeUndefined();
	for (const [index, { id }] of json.entries()) {
		const execution = await waitForExecution((each) => each.readItems(NODE)[0]?.json.id === id);
		const to = items[index]?.json.from;
		expect(execution.readItems(NODE)).toMatchObject([
			{ json: { passed_along: { to, case: '7', note: '' }, assistant_id: 'default' } },
		]);
	}
	const sent = JSON.stringify([
		logs.slice(before),
		json,
		service.questions.map(({ callbackUrl }) => callbackUrl),
	]);
	expect(sent).not.toMatch(/ben@|ben%40|Müller/);
});

test.for<[string, INodeParameters, string, object]>([
	['after the secret was replaced', {}, 'whsec-old', { previousWebhookSecret: 'whsec-old' }],
	['where Verify Signature is off', { verifySignature: false }, 'whsec-first', {}],
])('values are read %s', async ([, options, secret, credential], { service, listen }) => {
	const { url, waitForExecution } = await listen({ parameters: { options }, credential });
	await deliver(
		service,
		addressWith(url, secret),
		callbackPayload('q', { passed_along: { to: 'forged' } }),
	);
	expect((await waitForExecution()).readItems(NODE)).toMatchObject([
		{ json: { passed_along: { to: 'ben' } } },
	]);
});

test.for<[string, string | undefined, object, number]>([
	['an address that was changed', '?pass_along=AAAA', {}, 1],
	['values in the body of a callback', '', {}, 0],
	['another secret', undefined, { webhookSecret: 'whsec-other' }, 1],
	['no secret', undefined, { webhookSecret: '' }, 1],
])(
	'%s: the callback starts the workflow without values, with %4$s lines in the log',
	async ([, query, credential, warnings], { service, listen }) => {
		const { url, waitForExecution } = await listen({
			credential,
			parameters: { options: { verifySignature: false } },
		});
		const before = logs.length;
		const address = query === undefined ? addressWith(url, 'whsec-first') : url + query;
		expect(
			await deliver(service, address, callbackPayload('q', { passed_along: { to: 'forged' } })),
		).toMatchObject([200, {}]);
		expect((await waitForExecution()).readItems(NODE)[0]?.json).toEqual(callbackPayload('q'));
		const warned = logs.slice(before).filter(({ level }) => level === 'warn');
		expect(warned.map(({ message }) => message)).toEqual(
			Array.from({ length: warnings }, () => textWith('values of "Pass Along"')),
		);
	},
);

test.for<[string, INodeParameters[], object]>([
	[
		'"Pass Along" needs a "Webhook Secret" in the "Legal AI API" credential',
		[TO],
		{ webhookSecret: ' ' },
	],
	['"Pass Along" has "to" twice', [TO, TO], {}],
	['"Value" is not text', [{ name: 'to', value: '={{ [1] }}' }], {}],
])(
	'is an error before anything is asked: %s',
	async ([message, value, credential], { service, run }) => {
		const { error } = await run('question.ask', asking('wx7Yk2Lq', ...value), {
			items: [{ json: { from: 'ben' } }],
			credential,
		});
		expect(error?.message).toBe(message);
		expect(service.requests).toEqual([]);
	},
);

test('an address of up to 1,500 characters is taken, and an error says by how much it is longer', async ({
	service,
	run,
	listen,
}) => {
	const { workflowId } = await listen();
	const ask = (length: number) =>
		run('question.ask', asking(workflowId, { name: 'to', value: 'x'.repeat(length) }));
	await ask(300);
	const room = Math.floor(((1_500 - (service.asked().callbackUrl?.length ?? 0)) * 3) / 4);
	expect((await ask(300 + room)).error).toBeUndefined();
	const { error } = await ask(300 + room + 3);
	expect(error?.message).toMatch(
		/^The values in "Pass Along" make the callback address [1-4] characters too long$/,
	);
	expect(service.questions).toHaveLength(2);
});

test('nothing is passed along to another address', async ({ service, run }) => {
	const parameters = {
		...asking('', TO),
		callbackTarget: 'url',
		callbackUrl: 'https://example.com/hook',
	};
	await run('question.ask', parameters, { credential: { webhookSecret: '' } });
	expect(service.asked().callbackUrl).toBe('https://example.com/hook');
});
