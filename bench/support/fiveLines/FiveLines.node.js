// The least a node can do for the list of tasks: n8n's own request helper in a loop. What this package's node takes
// beyond it is what its checks, limits and retries cost.
exports.FiveLines = class {
	description = {
		displayName: 'Five Lines',
		name: 'fiveLines',
		group: ['input'],
		version: 1,
		description: 'Loops over the pages of tasks',
		defaults: { name: 'Five Lines' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'legalAiApi', required: true }],
		properties: [],
	};

	async execute() {
		const { baseUrl } = await this.getCredentials('legalAiApi');
		const items = [];
		let cursor;
		do {
			const page = await this.helpers.httpRequestWithAuthentication.call(this, 'legalAiApi', { url: `${baseUrl}/tasks`, qs: { limit: 100, cursor }, json: true });
			for (const json of page.tasks) items.push({ json, pairedItem: { item: 0 } });
			cursor = page.next_cursor ?? undefined;
		} while (cursor !== undefined);
		return [items];
	}
};
