// The least that a community node with a credential can do to ask a question and wait for its callback: what it takes is
// n8n's own time. It asks, parks, and takes whatever is posted for the answer.
exports.LeastWait = class {
	description = {
		displayName: 'Least Wait',
		name: 'leastWait',
		group: ['transform'],
		version: 1,
		description: 'Asks a question and waits for whatever is posted',
		defaults: { name: 'Least Wait' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'legalAiApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', responseData: '', path: '={{ $nodeId }}', isFullPath: true, restartWebhook: true },
		],
		properties: [],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('legalAiApi');
		const [address, query] = this.evaluateExpression('{{ $execution.resumeUrl }}', 0).split('?');
		await this.helpers.httpRequestWithAuthentication.call(this, 'legalAiApi', {
			method: 'POST',
			url: `${baseUrl}/assistants/default/questions`,
			body: { question: 'May we sign?', callback_url: `${address}/${this.getNode().id}?${query}` },
			json: true,
		});
		await this.putExecutionToWait(new Date(Date.now() + 3_600_000));
		return [this.getInputData()];
	}

	async webhook() {
		await this.getCredentials('legalAiApi');
		return { webhookResponse: { message: 'Accepted.' }, workflowData: [[{ json: this.getBodyData() }]] };
	}
};
