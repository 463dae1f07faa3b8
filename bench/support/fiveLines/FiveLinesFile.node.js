// The least a node can do with a file: n8n's own helpers, one into the other. What a bare program takes less is n8n's.
exports.FiveLinesFile = class {
	description = {
		displayName: 'Five Lines With a File',
		name: 'fiveLinesFile',
		group: ['input'],
		version: 1,
		description: 'Fetches a file, or sends the one of its item',
		defaults: { name: 'Five Lines With a File' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'legalAiApi', required: true }],
		properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
	};

	async execute() {
		const address = this.getNodeParameter('url', 0);
		if (address !== '') {
			const file = await this.helpers.httpRequest({ url: address, encoding: 'stream' });
			return [[{ json: {}, binary: { data: await this.helpers.prepareBinaryData(file, 'large.pdf', 'application/pdf') } }]];
		}
		const { baseUrl } = await this.getCredentials('legalAiApi');
		const { id, mimeType } = this.getInputData()[0].binary.data;
		const { fileSize } = await this.helpers.getBinaryMetadata(id);
		const body = { file_name: 'large.pdf', content_type: mimeType };
		const job = await this.helpers.httpRequestWithAuthentication.call(this, 'legalAiApi', { method: 'POST', url: `${baseUrl}/files/upload-url`, body, json: true });
		const headers = { 'Content-Type': mimeType, 'Content-Length': fileSize };
		await this.helpers.httpRequest({ method: 'PUT', url: job.upload_url, headers, body: await this.helpers.getBinaryStream(id), disableFollowRedirect: true });
		return [[{ json: job }]];
	}
};
