import '../engine/environment.mts';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { requireAsN8n } from '../../../harness/versions.mts';
import { type Addresses, simpleParser } from '../n8n/smtpServer.mts';

/** A method of a node, called with the node's context. */
type Method<Result = INodeExecutionData[]> = (this: object, ...given: unknown[]) => Promise<Result>;

const core = 'n8n-core/dist/execution-engine/node-execution-context/utils';
const nodes = 'n8n-nodes-base/dist/nodes';
const { prepareBinaryData } = requireAsN8n(`${core}/binary-helper-functions.js`) as {
	prepareBinaryData: (...file: unknown[]) => Promise<unknown>;
};
const itemHelpers = ['return-json-array', 'construct-execution-metadata'].map(
	(name) => requireAsN8n(`${core}/${name}.js`) as object,
);
const gmail = requireAsN8n(`${nodes}/Google/Gmail/GenericFunctions.js`) as {
	parseRawEmail: Method<INodeExecutionData>;
};
const imap = requireAsN8n(`${nodes}/EmailReadImap/v2/utils.js`) as { getNewEmails: Method<void> };
const outlook = requireAsN8n(`${nodes}/Microsoft/Outlook/v2/transport/index.js`) as {
	downloadAttachments: Method;
};
const attachments = `${nodes}/Microsoft/Outlook/v2/actions/messageAttachment`;
const [listOutlookFiles, getOutlookFile] = ['getAll', 'download'].map(
	(name) => requireAsN8n(`${attachments}/${name}.operation.js`) as { execute: Method },
) as [{ execute: Method }, { execute: Method }];

/** The context of one of n8n's nodes: its parameters, and the store of files. */
const context = (parameters: IDataObject, helpers: object = {}) => ({
	getNode: () => ({ typeVersion: 2.2 }),
	getNodeParameter: (name: string, _item: unknown, missing: unknown) => parameters[name] ?? missing,
	getWorkflowStaticData: () => ({}),
	getCredentials: () => Promise.resolve({}),
	logger: { debug: () => undefined, warn: () => undefined },
	helpers: {
		...itemHelpers[0],
		...itemHelpers[1],
		prepareBinaryData: (content: Buffer, name?: string, type?: string) =>
			prepareBinaryData(content, 'execution', 'workflow', name, type),
		...helpers,
	},
});

/** Gmail and Gmail Trigger, *Simplify* off, *Download Attachments* on. */
async function asGmail(raw: Buffer) {
	const message = {
		id: '18f2',
		threadId: '18f1',
		labelIds: ['INBOX'],
		raw: raw.toString('base64url'),
	};
	const parameters = { 'options.downloadAttachments': true };
	return [await gmail.parseRawEmail.call(context(parameters), message, 'attachment_')];
}

/** Email Trigger (IMAP) with *Download Attachments*, format *Resolved*, with a mailbox that has this one email. */
async function asImap(raw: Buffer) {
	const items: INodeExecutionData[] = [];
	const parameters = {
		format: 'resolved',
		downloadAttachments: true,
		dataPropertyAttachmentsPrefixName: 'attachment_',
	};
	await imap.getNewEmails.call(context(parameters), {
		imapConnection: { search: () => Promise.resolve([{ uid: 1, source: raw }]) },
		searchCriteria: ['ALL'],
		onEmailBatch: (batch: INodeExecutionData[]) => items.push(...batch),
	});
	return items;
}

/** An email and its attachments as Microsoft Graph describes them, and a connection to it. */
async function inGraph(raw: Buffer) {
	const mail = await simpleParser(raw, { keepCidLinks: true });
	const recipients = (addresses?: Addresses) =>
		(addresses?.value ?? []).map((emailAddress) => ({ emailAddress }));
	const isMeeting = mail.attachments.some(({ contentType }) => contentType === 'text/calendar');
	const files = mail.attachments
		.filter(({ contentType }) => !/^(text\/calendar|message\/disp)/.test(contentType))
		.map(({ filename, contentType, cid, content }, index) => {
			const isMessage = contentType === 'message/rfc822';
			const subject = /^Subject: (.*)$/m.exec(content.toString())?.[1];
			return {
				'@odata.type': `#microsoft.graph.${isMessage ? 'item' : 'file'}Attachment`,
				id: `file-${index}`,
				name: isMessage ? subject : (filename ?? `ATT0000${index}.bin`),
				contentType: isMessage ? null : contentType,
				size: content.length,
				isInline: String(mail.html).includes(`cid:${cid}`),
				content,
			};
		});
	const message = {
		...(isMeeting && { '@odata.type': '#microsoft.graph.eventMessageRequest' }),
		id: 'AAMk',
		conversationId: 'AAQk',
		internetMessageId: mail.messageId,
		receivedDateTime: mail.date?.toISOString(),
		subject: mail.subject ?? '',
		body: mail.html
			? { contentType: 'html', content: mail.html }
			: { contentType: 'text', content: mail.text ?? '' },
		from: recipients(mail.from)[0],
		toRecipients: recipients(mail.to),
		ccRecipients: recipients(mail.cc),
		replyTo: recipients(mail.replyTo),
		hasAttachments: files.some(({ isInline }) => !isInline),
		internetMessageHeaders: mail.headerLines.map(({ key, line }) => ({
			name: key,
			value: line.replace(/^[^:]*:\s*/, ''),
		})),
	};
	const requestWithAuthentication = async (_type: string, { uri }: { uri: string }) => {
		const id = /attachments\/([^/]+)/.exec(uri)?.[1];
		const file = files.find((one) => one.id === id);
		const isContent = uri.endsWith('/$value');
		return await Promise.resolve(isContent ? { body: file?.content } : (file ?? { value: files }));
	};
	return { message, helpers: { requestWithAuthentication } };
}

/** Microsoft Outlook and its trigger with *Download Attachments*: one item. */
async function asOutlook(raw: Buffer) {
	const { message, helpers } = await inGraph(raw);
	return await outlook.downloadAttachments.call(context({}, helpers), message, 'attachment_', 0);
}

/** Microsoft Outlook: the email, then an item for each attachment that another step has downloaded. */
async function asOutlookItems(raw: Buffer) {
	const { message, helpers } = await inGraph(raw);
	const parameters = { messageId: message.id, returnAll: true, options: {} };
	const files = await listOutlookFiles.execute.call(context(parameters, helpers), 0);
	const downloads = files.map(async ({ json }, index) => {
		const file = { messageId: message.id, attachmentId: json.id, binaryPropertyName: 'data' };
		return await getOutlookFile.execute.call(context(file, helpers), index, files);
	});
	return [{ json: message as IDataObject }, ...(await Promise.all(downloads)).flat()];
}

/** How n8n's nodes give an email: their own code reads it, and Microsoft's answers stand as its documentation has them. */
export const programs = {
	Gmail: asGmail,
	IMAP: asImap,
	Outlook: asOutlook,
	'Outlook, files as items': asOutlookItems,
};
