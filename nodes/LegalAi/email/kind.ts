import type { Email } from './email';
import type { Thread } from './thread';

/** Addresses whose owners don't read what is answered (RFC 5321, RFC 2142; what services call theirs, in some languages). */
const AUTOMATIC_SENDERS =
	/^(mailer-daemon|postmaster|microsoftexchange\w*|no-?reply|do-?not-?reply|no-?responder?|noresponda|nao-?responda|ne-?pas-?repondre|nicht-?antworten|keine-?antwort|non-?rispondere|bounces?|notifications?|calendar-notification)([+._-][^@]*)?@/;
/** E-signature services send what others have signed from these domains: Docusign, Adobe, Dropbox Sign, PandaDoc. */
const SIGNATURE_SERVICES =
	/@([\w-]+\.)*(docusign\.net|echosign\.com|adobesign\.com|hellosign\.com|dropboxsign\.com|pandadoc\.net)$/;

/** Headers that say that no person wrote it: RFC 3834 and 3464, sendmail's Precedence, and what other programs use. */
const AUTOMATIC_HEADERS: Array<[name: string, value: RegExp, why: string]> = [
	['content-type', /report-type="?disposition-notification/i, 'a receipt'],
	['content-type', /^multipart\/report/i, 'a delivery report'],
	['return-path', /^<\s*>$/, 'an automatic email'],
	['auto-submitted', /^auto-/i, 'an automatic email'],
	['x-autoreply', /^(?!no\b)/i, 'an automatic reply'],
	['x-autorespond', /^(?!no\b)/i, 'an automatic reply'],
	['precedence', /auto_reply/i, 'an automatic reply'],
	['precedence', /bulk|junk/i, 'a mass email'],
	['x-jira-fingerprint', /./, 'a notification'],
];

/** How Outlook, Gmail and others begin the subject of an automatic reply, and what people write in it. Only both together say it. */
const REPLY_SUBJECT =
	/^(automatic reply|auto(matic)?[- ]?reply|out of (the )?office|automatische antwort|abwesenheits\w*|réponse automatique|absence du bureau|risposta automatica|respuesta automática|automatisch antwoord|automatyczna odpowiedź|odpowiedź automatyczna|resposta automática|autosvar|automatiskt svar|自動応答|不在通知|自动答复|自动回复|自動回覆)(\s*[:：]|$)/i;
const ABSENCE =
	/\b(away|out of (the )?office|vacation|holiday|on leave|limited access|nicht im (büro|haus)|abwesend|urlaub|absente?|congés?|vacances|fuori (ufficio|sede)|assente|ferie|fuera de la oficina|ausente|vacaciones|afwezig|vakantie|férias|fora do escritório|semester|frånvarande|poza biurem|urlopie|nieobecn\w*)\b|不在|休暇|外出|休假/i;

/**
 * Why no person wrote an email, in a few words; undefined if somebody did, or nothing says otherwise.
 *
 * @param ourAddresses in lower case
 */
export function whyAutomatic(
	{ headers, from: [sender = ''], to = [], cc, subject, files }: Email,
	{ own }: Thread,
	ourAddresses: string[],
): string | undefined {
	const isReply = REPLY_SUBJECT.test(subject);
	if (isReply && files.length === 0 && ABSENCE.test(own) && !/[?？]/.test(own))
		return 'out of office';
	const isOurList = isListOf(ourAddresses, headers);
	const said = AUTOMATIC_HEADERS.filter(([name]) => !(isOurList && name === 'precedence')).find(
		([name, value]) => headers[name] !== undefined && value.test(headers[name]),
	);
	if (said !== undefined) return isReply ? 'out of office' : said[2];
	if (AUTOMATIC_SENDERS.test(sender)) return 'a sender that takes no replies';
	if (SIGNATURE_SERVICES.test(sender)) return 'a signature service';
	const isList =
		['list-id', 'list-unsubscribe'].some((name) => name in headers) ||
		/list/i.test(headers.precedence ?? '');
	// To some lists people write; what they send to us, too, is meant for us (RFC 2369, section 3.4).
	const isDiscussion = /mailto:/i.test(headers['list-post'] ?? '');
	const isToUs = [...to, ...cc].some((address) => ourAddresses.includes(address));
	return isList && !isOurList && !(isDiscussion && isToUs) ? 'a mailing list' : undefined;
}

/** Whether an email came through a list or group that has one of the addresses (RFC 2369, RFC 2919, Google Groups). */
export function isListOf(addresses: string[], headers: Record<string, string>): boolean {
	const named = ['list-id', 'list-post', 'mailing-list', 'x-beenthere']
		.map((name) => headers[name] ?? '')
		.join(' ')
		.toLowerCase();
	return addresses.some(
		(address) => named.includes(address) || named.includes(`<${address.replace('@', '.')}>`),
	);
}

/** Whether the headers say that an email is about a meeting. */
export function isAboutMeeting({ isEventMessage, headers }: Email): boolean {
	return (
		isEventMessage ||
		/calendarmessage/i.test(headers['content-class'] ?? '') ||
		/^text\/calendar/i.test(headers['content-type'] ?? '')
	);
}
