import { exampleNames, readExample } from '../../../harness/examples.mts';
import { asList, asRecord, asText } from '../../../harness/unknownJson.mts';
import { test } from '../../support/n8n/fixtures.mts';

test("n8n's own migration report finds nothing in the examples that n8n 3 no longer runs", async ({
	n8n,
}) => {
	const names = new Map<string, string>();
	for (const name of await exampleNames()) {
		const { id } = await n8n.createWorkflow(await readExample(name));
		names.set(id, name);
	}
	const answer = await n8n.session.post('/breaking-changes/report/refresh?version=v3');
	const { report } = asRecord(answer, 'The answer');
	const rules = asList(asRecord(report, 'The report').workflowResults, 'The rules');
	const found: Record<string, string[]> = {};
	for (const rule of rules) {
		const ruleId = asText(asRecord(rule, 'A rule').ruleId, 'The ID of a rule');
		const details = asRecord(await n8n.session.get(`/breaking-changes/report/${ruleId}`), ruleId);
		for (const affected of asList(details.affectedWorkflows, 'The workflows')) {
			const name = names.get(asText(asRecord(affected, 'A workflow').id, 'An ID'));
			if (name !== undefined) (found[name] ??= []).push(ruleId);
		}
	}
	expect(found).toEqual({});
});
