// The least that a community trigger with a credential can do for a callback: what it takes is n8n's own time. It reads
// its credential and passes on what came in.
exports.LeastTrigger = class {
	description = {
		displayName: 'Least Trigger',
		name: 'leastTrigger',
		group: ['trigger'],
		version: 1.1,
		description: 'Starts the workflow with whatever is posted',
		defaults: { name: 'Least Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'legalAiApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: '',
				path: '={{ "least/" + $workflow.id }}',
				isFullPath: true,
			},
		],
		properties: [],
	};

	async webhook() {
		await this.getCredentials('legalAiApi');
		return {
			webhookResponse: { message: 'Accepted.' },
			workflowData: [[{ json: this.getBodyData() }]],
		};
	}
};
