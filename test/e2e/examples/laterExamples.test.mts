import { describe, expect, test } from 'vitest';

import { chain, node, webhook } from '../../../harness/workflows.mts';
import { Stage } from '../../support/products/stage.mts';

const stage = await Stage.ofThisFile();

test.each(['nda-triage.json'])(
	'%s: the form asks for a login, and nothing is asked for an address outside the company',
	async (name) => {
		await stage.publish(name);
		expect(
			(
				await stage.submit(
					{ 'Your Email': 'sales@example.com' },
					{ user: 'stranger', password: '' },
				)
			).status,
		).toBe(401);
		await stage.submit({ 'Your Email': 'someone@example.com.meridian.example' });
		await stage.settled(1);
		expect(stage.sandbox.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	},
);
