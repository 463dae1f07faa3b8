import { userError } from '../LegalAi/api/errors';
import type { Email } from './email';

/** Addresses that nobody reads (RFC 5321, RFC 2142, and what services call theirs). */
const NO_REPLIES =
	/^(.*[+._-])?(no|do[._-]?not)[._-]?reply([+._-].*)?@|^(mailer-daemon|postmaster|bounces?|notifications?|microsoftexchange\w*)([+._-].*)?@/;
/** What the node is told about the mailbox. */
export interface EmailSettings {
	/** Addresses of the mailbox, and of the groups behind it. */
	ourAddresses: string[];
	/** Domains; those of `ourAddresses` if there are none. */
	colleagues?: string[];
	emailsFromOthers: string;
}

/** Who wrote an email to whom, as its mailbox sees it. */
export function tellPeople(
	{ senders, recipients, headers }: Email,
	{ ourAddresses, colleagues }: EmailSettings,
) {
	const ours: string[] =
		ourAddresses
			.join()
			.toLowerCase()
			.match(/[^\s<>,]+@[^\s<>,]+/g) ?? [];
	if (ours.length === 0)
		throw userError('"Our Addresses" has no email address', 'Enter the address of the mailbox.');
	const isOurs = (address: string) => ours.includes(address.replace(/\+[^@]*/, ''));
	const [from = ''] = senders.keys();
	const sender =
		[...senders.keys()].find((each) => each && !isOurs(each) && !NO_REPLIES.test(each)) ?? from;
	const domainOf = (address: string) => address.toLowerCase().replace(/.*@/, '');
	const domains = (colleagues ?? ours).map(domainOf);
	const to = [...recipients.keys()];
	const lists = ours.map((each) => `<${each.replace('@', '.')}>`);
	return {
		from,
		sender,
		sentBy: `${senders.get(sender) ?? ''} <${sender}>`.trim(),
		to,
		isOwn: isOurs(sender),
		isColleague: domains.includes(domainOf(from)) && domains.includes(domainOf(sender)),
		isNoReply: NO_REPLIES.test(sender),
		/** An address that can't be read is no proof. */
		isCopy: to.length > 0 && to.every((each) => /@/.test(each) && !isOurs(each)),
		isOfOurList: lists.some((list) => headers.toLowerCase().includes(list)),
	};
}
