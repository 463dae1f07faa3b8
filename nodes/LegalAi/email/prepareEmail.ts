import type { IBinaryData, IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

/** What becomes of an email. `noEmail`: the item is none, `why` says what it is instead. */
export type EmailKind =
	| 'question'
	| 'unreadable'
	| 'automatic'
	| 'meeting'
	| 'own'
	| 'copy'
	| 'noEmail';

export interface EmailSettings {
	/** Addresses of the mailbox, and of the groups behind it, in any case. */
	ourAddresses: string[];
	/** Domains; those of `ourAddresses` if there are none. */
	colleagues: string[];
}

/** n8n's store of files. */
export interface EmailFiles {
	read: (itemIndex: number, field: string) => Promise<Buffer>;
	/** A text as a file, for a text that is too long for a question. */
	storeText: (text: string, fileName: string) => Promise<IBinaryData>;
}

/** An email, ready for a question. */
export interface PreparedEmail {
	kind: EmailKind;
	/** The reason for the kind in a few words; '' for a question. */
	why: string;
	json: IDataObject;
	binary: IBinaryKeyData;
	/** The items that it was made of: the email, and its attachments if they are items of their own. */
	itemIndexes: number[];
}

/** Prepares emails as n8n's mail nodes give them. Never throws for what an email contains. */
export async function prepareEmails(
	items: INodeExecutionData[],
	_settings: EmailSettings,
	_files: EmailFiles,
): Promise<PreparedEmail[]> {
	return await Promise.resolve(
		items.map((_, index) => ({
			kind: 'question',
			why: '',
			json: {},
			binary: {},
			itemIndexes: [index],
		})),
	);
}
