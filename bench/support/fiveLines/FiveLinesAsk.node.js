// The least a node can do to ask questions: n8n's own request helper for each item, so many at once. What a bare program
// takes less is n8n's: its expressions, its credentials and its helper.
exports.FiveLinesAsk = class {
	description = {
		displayName: 'Five Lines That Ask',
		name: 'fiveLinesAsk',
		group: ['input'],
		version: 1,
		description: 'Asks a question for each item',
		defaults: { name: 'Five Lines That Ask' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'legalAiApi', required: true }],
		properties: [
			{ displayName: 'Question', name: 'question', type: 'string', default: '' },
			{ displayName: 'Session ID', name: 'sessionId', type: 'string', default: '' },
			{ displayName: 'At Once', name: 'atOnce', type: 'number', default: 5 },
		],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('legalAiApi');
		const url = `${baseUrl}/assistants/default/questions`;
		const left = this.getInputData().keys();
		const output = [];
		const askInTurn = async () => {
			for (const item of left) {
				const body = { question: this.getNodeParameter('question', item), session_id: this.getNodeParameter('sessionId', item) };
				const json = await this.helpers.httpRequestWithAuthentication.call(this, 'legalAiApi', { method: 'POST', url, body, json: true });
				output[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('atOnce', 0) }, askInTurn));
		return [output];
	}
};
