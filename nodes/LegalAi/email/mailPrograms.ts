/*
 * How mail programs mark what is not their user's own words. The words of each language are those that the programs write, as the
 * lists of Crisp's email-forward-parser and email-reply-parser, Close's quotequail, Discourse's email_reply_trimmer and Mailgun's
 * talon have them.
 */

/*
 * Lines that are looked at together are joined with \v, which `.` and white space stand for, too: a line may be wrapped.
 */

/** What stands above a forwarded email. */
export const FORWARDED = around(
	'[-\\s]*',
	[
		'(Begin )?Forwarded message',
		'(Anfang der )?weitergeleiteten? (Nachricht|E-Mail)',
		'(Début du )?(message|courriel|e-mail) (transféré|transmis|réexpédié)',
		'(Inizio )?messaggio inoltrato',
		'(Inicio del )?mensaje reenviado',
		'(Begin )?doorgestuurd bericht( volgt)?',
		'doorgestuurde e-mail',
		'((Początek|Treść) )?przek(azan|azywan)(a|ej) wiadomoś(ć|ci)',
		'(Início da )?mensagem (re)?encaminhada',
		'Vidarebefordrat (mejl|meddelande( börjar)?)',
		'vidarebefordrad e-post',
		'(Start på )?videresendt (melding|besked|meddelelse)',
		'転送(された)?メッセージ(の先頭|を開始します)?',
		'(开始)?转发的?(邮件|消息|信息)',
		'(開始)?轉寄的?(郵件|訊息|信件)',
	],
	'\\s?[-:：]*$',
);

/** Where what is said of the sender of a quoted email ends, in the block of headers with which Outlook begins it. */
export const NEXT_HEADER =
	/\v\*?(Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé(\sle)?|À|A|Objet|Sujet|Pour|Inviato|Data|Oggetto|Enviad[oa](\s(el|em))?|Fecha|Para|As+unto|Verzonden(\sop)?|Aan|Onderwerp|Wysłan[oe]|Do|Temat|Adresat|Skickat|Till?|Ämne|Sendt|Dato|Emne|送信日時|日時|日付|宛先|件名|发送时间|日期|收件人|主题|寄件日期|傳送時間|收件者|主旨)\s?\*?\s?[:：]/iu;

/** What stands above a quoted or forwarded email. */
export const INTRODUCTIONS = [
	FORWARDED,
	// Between dashes, with what follows
	around(
		'-{2,} ?',
		[
			'(Original|Reply) Message',
			'(Ursprüngliche |Original-?)Nachricht',
			"Message (d['’]origine|original)",
			'messaggio originale',
			'mensaje original',
			'oorspronkelijk bericht',
			'oryginalna wiadomość|Wiadomość oryginalna',
			'mensagem original',
			'ursprungligt meddelande|Originalmeddelande',
			'(Oprindelig|Opprinnelig) (meddelelse|besked|melding)',
			'元のメッセージ',
			'原始(邮件|郵件)',
		],
		'\\s?-*\\v+[^\\v].*$',
	),
	// Outlook's block of headers
	around(
		'\\*?',
		['From|Von|De|Da|Van|Od|Nadawca|Från|Fra|Mittente|差出人|送信者|发件人|寄件者|寄件人'],
		`\\s?\\*?\\s?[:：].*(${NEXT_HEADER.source}.*){2}$`,
	),
	// A sentence that has a date, and ends in a colon
	around(
		'(?=.*[:：]$)(?=.*\\d)',
		[
			// Gmail in all languages, and others: a year, a time and an address
			'(?=.*\\d{4})(?=.*\\d[:.]\\d{2})[^<]*<\\s?[^<>\\s@]+@[^<>\\s]+>.{0,30}',
			// English
			'On .* (wrote|writes) ?',
			'[^<]*<[^<>\\s@]+@[^<>\\s]+> wrote on .*',
			// German
			'Am .* schrieb .*',
			'[^<]*<[^<>\\s@]+@[^<>\\s]+> schrieb am .*',
			// French, Italian, Spanish, Portuguese
			'Le .* a écrit ?',
			'(Il|In data) .* ha scritto ?',
			'El .* escribió ?',
			'(Em|A|No dia|Às) .* escreveu ?',
			// Dutch
			'Op .* (schreef .*|heeft .* geschreven ?)',
			// Polish
			'(W dniu|Dnia|Wiadomość napisana przez) .*',
			// Swedish, Danish, Norwegian; Apple Mail begins with the day
			'(Den|\\p{L}{2,3}\\.|\\d{1,2}\\.?) .* skrev .*',
			// Japanese: Apple Mail, Thunderbird
			'\\d{4}\\/\\d{1,2}\\/\\d{1,2}.*(のメール|のメッセージ|wrote) ?',
			// Chinese, simplified and traditional
			'(?=.*(写道|寫道) ?[:：]$).{0,80}(在|於|于).*',
		],
		'[:：]$',
	),
];

/** What stands before a subject, in the words of Outlook's languages: one after the other, the first group in those of a forward. */
export const PREFIXES =
	/\s*(?:(fwd?|wg|tr|rv|i|doorst|pd|enc|vb|videresend|vidarebefordrat|転送|转发|轉寄)|re|aw|antw|antwort|sv|vs|rép|r|rif|odp|res|resp|回复|回覆|答复|答覆|返信)(?:\[\d+\])?\s?[:：]\s*/giuy;
/** What transport rules of Exchange put into a subject. */
export const TAGS = /\[(external|externe?|esterno|externo|ext|zewnętrzny)\]\s*/gi;

/** What servers write above an email from outside: transport rules of Exchange, and Outlook's tips about senders. */
export const BANNER = around(
	'(',
	[
		'[*[\\s]*(caution|warning|external( e-?mail| sender| message)?|attention|achtung|vorsicht|warnung|extern[ea]? e-?mail|avertissement|attenzione|atención|let op|uwaga|atenção|varning)[\\]*!:. ]*(?=\\n)',
		'.{0,40}\\b(e-?mail|message|sender)\\b.{0,30}\\b(originat\\w+|sent|comes?|came|is|was|received)( from)?( an?| your| the| our)? (outside (of )?(your|the|our|this)|external (sender|source|e-?mail|address|domain|organi))',
		".{0,40}\\b(do not|don['’]t) (click|open)\\b.{0,80}\\b(links?|attachments?)\\b",
		".{0,40}don['’]t often get e-?mail from\\b",
		'.{0,20}(e-?mail|nachricht)\\b.{0,30}(stammt|kommt|wurde) von (außerhalb|extern|einem externen)',
		".{0,20}(e-?mail|courriel|message)\\b.{0,30}(provient|vient) (de l['’]extérieur|d['’]un expéditeur externe)",
		'.{0,20}(e-?mail|messaggio|correo|mensaje|bericht|wiadomość|mensagem|meddelande)\\b.{0,40}(esterno|externo|fuera de|van buiten|spoza|fora da|utanför)',
	],
	'.{0,300}\\n+)+',
);

/** What lists and servers write below an email, and signatures (RFC 3676, section 4.3): no answers between the quoted lines. */
export const FOOTER =
	/^(--$|_{20,}|you received this message because|to unsubscribe from this|this (e-?mail|message|communication)\b.{0,80}(confidential|intended|privileged)|confidential(ity)?\b|(diese|der inhalt dieser) (e-?mail|nachricht)|ce (message|courriel)|questo messaggio|este (mensaje|correo|email)|dit (bericht|e-?mail)|ta wiadomość|detta (meddelande|mejl)|sent from my |von meinem |envoyé de(puis)? mon |get outlook for )/im;

/** One of some texts, in which a space is any white space, between what mail programs put around them. */
export function around(before: string, texts: string[], after: string): RegExp {
	const either = texts.join('|').replaceAll(' ', '\\s');
	return new RegExp(`^${before}(${either})${after}`, 'iu');
}
