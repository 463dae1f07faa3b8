import type { Email, Unread } from './email';
import { MEDIA_RANK, type SortedFiles } from './files';

/** What becomes of an email. */
export type EmailKind =
	| 'question'
	| 'unreadable'
	| 'automatic'
	| 'meeting'
	| 'own'
	| 'copy'
	| 'noEmail';

/** Headers that say that no person wrote an email, and what it is. */
const AUTOMATIC_HEADERS: Array<[RegExp, string]> = [
	// RFC 8098, RFC 3464
	[/^content-type: multipart\/report.*disposition-notification/im, 'a receipt'],
	[/^content-type: multipart\/report/im, 'a delivery report'],
	// RFC 3834; a null sender: RFC 5321, section 4.5.5
	[/^auto-submitted: auto-|^return-path: < ?>/im, 'an automatic email'],
	// What programs write beside these
	[/^x-(autoreply|autorespond): (?!no\b)|^precedence: auto_reply/im, 'an automatic reply'],
	[/^x-jira-fingerprint:/im, 'a notification'],
];
/** Addresses that nobody reads (RFC 5321, RFC 2142, and what services call theirs), and what sends signed contracts: Docusign, Adobe, Dropbox Sign, PandaDoc. */
const AUTOMATIC_SENDER =
	/^(mailer-daemon|postmaster|microsoftexchange\w*|no-?reply|do-?not-?reply|no-?responda|nao-?responda|ne-?pas-?repondre|nicht-?antworten|keine-?antwort|non-?rispondere|bounces?|notifications?)([+._-][^@]*)?@|@([\w-]+\.)*(docusign\.net|echosign\.com|adobesign\.com|hellosign\.com|dropboxsign\.com|pandadoc\.net)$/;

/** How programs begin the subject of an automatic reply, and what people write in it: only both together say it without headers. */
const REPLY_SUBJECT =
	/^(automatic reply|auto-?reply|out of (the )?office|automatische antwort|abwesenheit\w*|réponse automatique|absence du bureau|risposta automatica|respuesta automática|automatisch antwoord|automatyczna odpowiedź|odpowiedź automatyczna|resposta automática|autosvar|automatiskt svar|自動応答|不在|自动(答复|回复)|自動回覆)/i;
const ABSENCE =
	/\b(away|out of (the )?office|vacation|holiday|on leave|nicht im (büro|haus)|abwesend|urlaub|absente?|congés?|vacances|fuori (ufficio|sede)|assente|ferie|fuera de la oficina|ausente|vacaciones|afwezig|vakantie|férias|fora do escritório|semester|poza biurem|urlopie|nieobecn\w*)(?!\p{L})|不在|休暇|外出|休假/iu;

/**
 * What becomes of an email, and why.
 *
 * @param text its sender's words
 * @param ours the addresses of the mailbox
 * @param unread what can't be read of it
 */
export function kindOf(
	{ json, subject, headers, headerOf, from, to, cc }: Email,
	{
		text,
		ours,
		unread,
		readable,
		isMeeting,
	}: SortedFiles & { text: string; ours: string[]; unread: Unread[] },
): [kind: EmailKind, why: string] {
	const isOurs = (address: string): boolean => ours.includes(address.replace(/\+[^@]*@/, '@'));
	const [, automatic] = AUTOMATIC_HEADERS.find(([header]) => header.test(headers)) ?? [];
	const saysAbsent = readable.length === 0 && ABSENCE.test(text) && !/[?？]/.test(text);
	const isList = /^list-(id|unsubscribe):|^precedence: .*(list|bulk|junk)/im.test(headers);
	// What people write through a list of ours, or to a list and to us, is meant for us (RFC 2369, RFC 2919).
	const list = ['list-id', 'list-post', 'mailing-list'].map(headerOf).join(' ').toLowerCase();
	const isForUs =
		ours.some((each) => list.includes(each) || list.includes(`<${each.replace('@', '.')}>`)) ||
		(headerOf('list-post').includes('mailto:') && [...(to ?? []), ...cc].some(isOurs));
	const isCalendar = /^content-(class: .*calendarmessage|type: text\/calendar)/im.test(headers);
	const isEvent = isMeeting || isCalendar || /eventMessage/.test(String(json['@odata.type']));
	const hasDocument = readable.some(({ rank }) => rank < MEDIA_RANK);
	const verdicts: Array<[boolean, EmailKind, string]> = [
		[
			from.some(isOurs) || /\b(SENT|DRAFT)\b/.test(String(json.labelIds)),
			'own',
			'an email of our own',
		],
		[
			REPLY_SUBJECT.test(subject) && (automatic !== undefined || saysAbsent),
			'automatic',
			'out of office',
		],
		[automatic !== undefined, 'automatic', String(automatic)],
		[AUTOMATIC_SENDER.test(from[0] ?? ''), 'automatic', 'a sender that takes no replies'],
		[isList && !isForUs, 'automatic', 'a mailing list'],
		[isEvent && !hasDocument, 'meeting', 'a meeting'],
		[to?.some(isOurs) === false, 'copy', 'a copy'],
		[unread.length > 0 && !hasDocument, 'unreadable', unread[0]?.[1] ?? ''],
	];
	const [, kind = 'question', why = ''] = verdicts.find(([is]) => is) ?? [];
	return [kind, why];
}
