import type { Email } from './email';
import { MEDIA_RANK, type SortedFiles } from './files';

/** What becomes of an email. */
export type EmailKind = 'question' | 'unreadable' | 'automatic' | 'meeting' | 'own' | 'copy';

/** Addresses that nobody reads (RFC 5321, RFC 2142, and what services call theirs), and what sends signed contracts: Docusign, Adobe, Dropbox Sign, PandaDoc. */
const AUTOMATIC_SENDER =
	/^(mailer-daemon|postmaster|microsoftexchange\w*|no-?reply|do-?not-?reply|no-?responda|nao-?responda|ne-?pas-?repondre|nicht-?antworten|keine-?antwort|non-?rispondere|bounces?|notifications?)([+._-][^@]*)?@|@([\w-]+\.)*(docusign\.net|echosign\.com|adobesign\.com|hellosign\.com|dropboxsign\.com|pandadoc\.net)$/;

/** How programs begin the subject of an automatic reply, and what people write in it: only both together say it without headers. */
const ABSENT_SUBJECT =
	/^(automatic reply|auto-?reply|out of (the )?office|automatische antwort|abwesenheit\w*|réponse automatique|absence du bureau|risposta automatica|respuesta automática|automatisch antwoord|automatyczna odpowiedź|odpowiedź automatyczna|resposta automática|autosvar|automatiskt svar|自動応答|不在|自动(答复|回复)|自動回覆)/i;
const ABSENCE =
	/\b(away|out of (the )?office|vacation|holiday|on leave|nicht im (büro|haus)|abwesend|urlaub|absente?|congés?|vacances|fuori (ufficio|sede)|assente|ferie|fuera de la oficina|ausente|vacaciones|afwezig|vakantie|férias|fora do escritório|semester|poza biurem|urlopie|nieobecn\w*)(?!\p{L})|不在|休暇|外出|休假/iu;

/**
 * What becomes of an email, and why. Headers that say that no person wrote it: RFC 3834, 3464, 8098; RFC 5321, section 4.5.5; what
 * programs use.
 *
 * @param words what its sender says
 * @param ours the addresses of the mailbox
 */
export function kindOf(
	{ json, subject, headers, sender, to }: Email,
	{ readable, unread, isMeeting }: SortedFiles,
	words: string,
	ours: string[],
): [kind: EmailKind, why: string] {
	const isOurs = (address: string): boolean => ours.includes(address.replace(/\+[^@]*@/, '@'));
	const list = String(headers.match(/^list-id: .*/im)).toLowerCase();
	// What people write through a list of ours, or to a list and to us (RFC 2919, RFC 2369)
	const isListForUs =
		ours.some((each) => list.includes(`<${each.replace('@', '.')}>`)) ||
		(to.some(isOurs) && /^list-post: .*mailto:/im.test(headers));
	const hasDocument = (readable[0]?.rank ?? MEDIA_RANK) < MEDIA_RANK;
	const verdicts: Array<[boolean, EmailKind, string]> = [
		[
			isOurs(sender) || /\b(SENT|DRAFT)\b/.test(String(json.labelIds)),
			'own',
			'an email of our own',
		],
		[
			ABSENT_SUBJECT.test(subject) &&
				((ABSENCE.test(words) && !/[?？]/.test(words)) ||
					/^(auto-submitted: auto-|precedence: auto|x-auto(-response-suppress|reply|respond):)/im.test(
						headers,
					)),
			'automatic',
			'out of office',
		],
		[
			/^content-type: multipart\/report/im.test(headers),
			'automatic',
			'a receipt or a delivery report',
		],
		[
			/^(auto-submitted: auto-|return-path: < ?>|precedence: auto|x-auto(reply|respond): (?!no))/im.test(
				headers,
			),
			'automatic',
			'an automatic email',
		],
		[AUTOMATIC_SENDER.test(sender), 'automatic', 'a sender that takes no replies'],
		[
			!isListForUs && /^(list-(id|unsubscribe):|precedence: .*(list|bulk|junk))/im.test(headers),
			'automatic',
			'a mailing list',
		],
		[
			!hasDocument &&
				(isMeeting ||
					/^content-(class: .*calendarmessage|type: text\/calendar)/im.test(headers) ||
					/eventMessage/.test(String(json['@odata.type']))),
			'meeting',
			'a meeting',
		],
		[to.length > 0 && !to.some(isOurs), 'copy', 'a copy'],
		[!hasDocument && unread.size > 0, 'unreadable', [...unread.values()][0] ?? ''],
	];
	const [, kind = 'question', why = ''] = verdicts.find(([is]) => is) ?? [];
	return [kind, why];
}
