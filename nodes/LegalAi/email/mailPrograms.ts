/*
 * How mail programs mark what is not their user's own words. Sources, beside what the programs write:
 * - the languages of Gmail, Apple Mail, Thunderbird, Yahoo and Outlook in Crisp's email-forward-parser and email-reply-parser,
 *   Close's quotequail, Discourse's email_reply_trimmer and Mailgun's talon, read for their lists
 * - RFC 3676 section 4.5 (quoting with ">")
 */

/** The line above a quoted email, in one line. Each has a date, ends in a colon, and begins or ends as no sentence does by chance. */
export const ATTRIBUTIONS = [
	// English: all programs; Outlook for Android and others put the person first.
	/^On .*\d.* (wrote|writes) ?:$/,
	/^\S.*<\S+@\S+> wrote on .*\d.* ?:$/,
	// German: the person follows, or comes first (Gmail).
	/^Am .*\d.* schrieb .*:$/,
	/^\S.*<\S+@\S+> schrieb am .*\d.* ?:$/,
	// French, Italian, Spanish, Portuguese
	/^Le .*\d.* a écrit ?:$/,
	/^(Il|In data) .*\d.* ha scritto ?:$/,
	/^El .*\d.* escribió ?:$/,
	/^(Em|A|No dia|Às) .*\d.* escreveu ?:$/,
	// Dutch: Gmail and Thunderbird, Apple Mail and Outlook
	/^Op .*\d.* (schreef .*|heeft .* geschreven ?):$/,
	// Polish: Thunderbird, Outlook, Apple Mail; Gmail begins with the day of the week.
	/^(W dniu|Dnia|Wiadomość napisana przez|\p{L}{2,4}\.,) .*\d.* ?(napisał\(a\)|napisał|napisała|pisze)? ?:$/u,
	// Swedish, Danish, Norwegian; Apple Mail begins with the day of the month.
	/^(Den|\p{L}{2,3}\.|\d{1,2}\.?) .*\d.* skrev .*:$/u,
	// Japanese: Gmail, Apple Mail, Thunderbird
	/^\d{4}年\d{1,2}月\d{1,2}日.*<\S+@\S+> ?[:：]$/,
	/^\d{4}\/\d{1,2}\/\d{1,2}.*(のメール|のメッセージ|wrote) ?[:：]$/,
	// Chinese, simplified and traditional: Apple Mail and Outlook begin with "at", Gmail with the person.
	/^(在|於|于) ?.*\d.*(写道|寫道) ?[:：]$/,
	/^\S.*[<(]\S+@\S+[>)] ?(于|於|在) ?\d{4}.*(写道|寫道) ?[:：]$/,
];

/** What stands above a forwarded email. */
export const FORWARDED = matchingLine([
	'(Begin )?Forwarded message',
	'(Anfang der )?weitergeleiteten? (Nachricht|E-Mail)',
	'(Début du )?(message|courriel|e-mail) (transféré|transmis|réexpédié)',
	'(Inizio )?messaggio inoltrato',
	'(Inicio del )?mensaje reenviado',
	'(Begin )?doorgestuurd bericht( volgt)?',
	'Doorgestuurde e-mail',
	'(Początek )?przekazan(a|ej|ywanej) wiadomoś(ć|ci)',
	'Treść przekazanej wiadomości',
	'(Início da )?mensagem (re)?encaminhada',
	'Vidarebefordrat (mejl|meddelande( börjar)?)',
	'Vidarebefordrad e-post',
	'(Start på )?videresendt (melding|besked|meddelelse)',
	'転送(された)?メッセージ(の先頭|を開始します)?',
	'Forwarded by .{1,100}',
	'(开始)?转发的?(邮件|消息|信息)',
	'(開始)?轉寄的?(郵件|訊息|信件)',
]);

/** What stands above the email that is answered, between dashes: Outlook without its block of headers, Yahoo, GMX, QQ. */
export const ORIGINAL = matchingLine(
	[
		'(Original|Reply) Message',
		'(Ursprüngliche |Original-?)Nachricht',
		"Message (d['’]origine|original)",
		'Messaggio originale',
		'Mensaje original',
		'Oorspronkelijk bericht',
		'Oryginalna wiadomość|Wiadomość oryginalna',
		'Mensagem original',
		'(Ursprungligt meddelande|Originalmeddelande)',
		'(Oprindelig|Opprinnelig) (meddelelse|besked|melding)',
		'元のメッセージ',
		'原始(邮件|郵件)',
	],
	'-{2,} ?',
);

/** The first line of the block of headers with which Outlook begins a quoted or forwarded email. */
export const FROM_LABEL = label(
	'From Von De Da Van Od Nadawca Från Fra Mittente 差出人 送信者 发件人 寄件者 寄件人',
);
/** What the second line of that block can be. */
export const HEADER_LABEL = label(
	'Sent Date To Cc Subject Gesendet Datum An Betreff Envoyé Envoyé.le À A Objet Sujet Pour Inviato Data Oggetto Enviado ' +
		'Enviado.el Fecha Para Asunto Verzonden Verzonden.op Aan Onderwerp Wysłano Wysłane Do Temat Adresat Enviada Enviada.em ' +
		'Enviado.em Assunto Skickat Till Ämne Sendt Dato Til Emne 送信日時 日時 日付 宛先 件名 发送时间 日期 收件人 主题 寄件日期 傳送時間 收件者 主旨',
);

/** What mail programs write before the subject of a forward (Outlook's words of each language, Gmail's and Apple's "Fwd"). */
export const FORWARD_PREFIX =
	/^(fwd?|wg|tr|rv|i|doorst|pd|enc|vb|videresend|vidarebefordrat|転送|转发|轉寄)(\[\d+\])?\s?[:：]\s*/i;
/** The same of a reply, and the words that transport rules of Exchange and gateways put there. */
export const OTHER_PREFIX =
	/^(re|aw|antw|antwort|sv|vs|rép|r|rif|odp|res|resp|回复|回覆|答复|答覆|返信)(\[\d+\])?\s?[:：]\s*|^\[(external|extern|externe|esterno|externo|ext|zewnętrzny)\]\s*/i;

/** Lines that servers write above an email from outside: transport rules of Exchange, and Outlook's own tips about senders. */
export const BANNER_LINE = new RegExp(
	[
		'^[*[\\s]*(caution|warning|external( e-?mail| sender| message)?|attention|achtung|vorsicht|warnung|extern[ea]? e-?mail|avertissement|attenzione|atención|let op|uwaga|atenção|varning)[\\]*!:.\\s]*$',
		'^.{0,40}\\b(e-?mail|message|sender)\\b.{0,30}\\b(originat\\w+|sent|comes?|came|is|was|received)( from)?( an?| your| the| our)? (outside (of )?(your|the|our|this)|external (sender|source|e-?mail|address|domain|organi))',
		"^.{0,40}\\b(do not|don['’]t) (click|open)\\b.{0,80}\\b(links?|attachments?)\\b",
		"^.{0,40}don['’]t often get e-?mail from\\b",
		'^.{0,20}(e-?mail|nachricht)\\b.{0,30}(stammt|kommt|wurde) von (außerhalb|extern|einem externen)',
		"^.{0,20}(e-?mail|courriel|message)\\b.{0,30}(provient|vient) (de l['’]extérieur|d['’]un expéditeur externe)",
		'^.{0,20}(e-?mail|messaggio|correo|mensaje|bericht|wiadomość|mensagem|meddelande)\\b.{0,40}(esterno|externo|fuera de|van buiten|spoza|fora da|utanför)',
	].join('|'),
	'iu',
);

/** What lists and servers write below an email, so that nobody takes it for words that answer between the quoted lines. */
export const FOOTER_LINE =
	/^(--$|_{20,}$|you received this message because|to unsubscribe from this|this (e-?mail|message|communication)\b.{0,80}(confidential|intended|privileged)|confidential(ity)?\b|(diese|der inhalt dieser) (e-?mail|nachricht)|ce (message|courriel)|questo messaggio|este (mensaje|correo|email)|dit (bericht|e-?mail)|ta wiadomość|detta (meddelande|mejl)|sent from my |von meinem |envoyé de(puis)? mon |get outlook for )/i;

/** A line that consists of one of the phrases, with what mail programs put around it. */
function matchingLine(phrases: string[], before = '[-\\s]*'): RegExp {
	return new RegExp(`^${before}(${phrases.join('|')})\\s?[-:：]*$`, 'iu');
}

/** A header as a line begins with it, bold in some programs; a dot stands for a space. */
function label(words: string): RegExp {
	const names = words.split(' ').map((word) => word.replace('.', ' '));
	return new RegExp(`^\\*?(${names.join('|')})\\s?\\*?\\s?[:：]`, 'iu');
}
