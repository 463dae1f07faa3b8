// Prepare Email: what an email asks, which of its files go with the question, and whether its sender waits for an answer.
// Gmail and IMAP give an email as one item. Outlook gives an item for the email, then one for each of its attachments.
const { mailbox } = $('Settings').first().json;
const ourAddresses = mailbox.toLowerCase().split(/[\s,;]+/).filter(Boolean);
const MOST_CHARACTERS = 9000;

// ---- Files: those that the service reads, contracts first, because a question takes 10 ----
const CONTRACTS = ['docx', 'doc', 'pdf', 'zip'];
const READABLE = [...CONTRACTS, ...'xlsx xls csv tsv pptx ppt txt md html htm mp3 m4a wav mp4 mpeg webm tiff tif heic heif png jpg jpeg webp'.split(' ')];
const [MOST_FILES, MOST_BYTES] = [10, 50_000_000];

const nameOf = ({ fileName, fileExtension }) => fileName || `unnamed.${fileExtension || 'bin'}`;
const typeOf = (file) => nameOf(file).split('.').pop().toLowerCase();
const isImage = (file) => /^(png|jpe?g|gif|bmp|svg|webp)$/.test(typeOf(file));
// Logos in signatures, visiting cards, calendar entries, and what mail programs add.
const isDecoration = (file) => /^(gif|bmp|svg|vcf|ics|p7s|sig)$/.test(typeOf(file)) || nameOf(file) === 'signature.asc' || file.mimeType === 'text/calendar'
  || (!file.fileName && !READABLE.includes(typeOf(file))) || (isImage(file) && /^(image\d{3}|outlook-|logo|signature)/i.test(nameOf(file)) && (file.bytes ?? 0) < 50_000);

// ---- Text ----
const SHARED_FILE = /https:\/\/[^\s<>"\])]*(?:sharepoint\.com\/(?::\w:|[^\s<>"]*\.(?:docx?|pdf))|1drv\.ms\/|onedrive\.live\.com\/|(?:docs|drive)\.google\.com\/|dropbox\.com\/scl?\/)[^\s<>"\])]*/gi;
const ENTITIES = { nbsp: ' ', lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const toCharacter = (entity, name) => (name[0] === '#' ? String.fromCodePoint(Number(name.replace(/^#(x?)/i, (_, x) => x && '0x'))) : ENTITIES[name] ?? entity);

const htmlToText = (html) => html
  .replace(/<!--[\s\S]*?-->|<(head|style|script)\b[\s\S]*?<\/\1>/gi, '')
  .replace(/<a\b[^>]*href="([^"]+)"[^>]*>/gi, (_, link) => (link.match(SHARED_FILE) ? ` ${link} ` : ''))
  .replace(/\s+/g, ' ')
  .replace(/<(br|hr|\/p|\/div|\/tr|\/li|\/h\d|\/blockquote)\b[^>]*>/gi, '\n')
  .replace(/<[^>]*>/g, '')
  .replace(/&(#x?[\da-f]{1,5}|\w+);/gi, toCharacter);

const readText = ({ text, html, body }, headers) => {
  const safeLinks = /https:\/\/\S+?safelinks\.protection\.outlook\.com\/\?url=([^&\s"]+)[^\s"<>\])]*/gi;
  const withLinks = (part) => part.replace(safeLinks, (_, link) => link.replace(/%3A/gi, ':').replace(/%2F/gi, '/'));
  const hasPlain = text && !/^text\/html/i.test(headers['content-type'] ?? '');
  const plain = hasPlain ? text : body?.contentType === 'text' ? body.content : htmlToText(withLinks(html || body?.content || ''));
  return withLinks(plain).replace(/[\u00a0\u202f]/g, ' ').replace(/[ \t]*\r?\n[ \t]*/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
};

// ---- Threads: what is quoted or forwarded, as mail programs write it in English, German and French ----
const FORWARDED = /^[-\s]*(Forwarded message|Begin forwarded message|Weitergeleitete Nachricht|Anfang der weitergeleiteten Nachricht|Message transféré|Message transmis|Début du message (transféré|réexpédié))\b/i;
const ORIGINAL = /^(-+ ?(Original Message|Original-?Nachricht|Ursprüngliche Nachricht|Message d'origine|Message original) ?-+|_{10,})/i;
const QUOTED = /^(On|Am|Le) .*\d.*( wrote| schrieb .*| a écrit) ?:$/;
const HEADERS = /^\*?(From|Von|De) ?:.*\n\*?(Sent|Date|Gesendet|Datum|Envoyé|To|An|À|Subject|Betreff|Objet) ?:/;

const splitThread = (text) => {
  const lines = text.split('\n');
  // Apple quotes the line that introduces a thread, too, and others wrap it.
  const bare = lines.map((line) => line.replace(/^> ?/, ''));
  const isQuote = (index) => [1, 2, 3].some((count) => QUOTED.test(bare.slice(index, index + count).join(' ')));
  const start = bare.findIndex((line, index) => FORWARDED.test(line) || ORIGINAL.test(line)
    || HEADERS.test(bare.slice(index, index + 2).join('\n')) || (isQuote(index) && !isQuote(index + 1) && !isQuote(index + 2)));
  const own = start === -1 ? lines : lines.slice(0, start);
  const rest = start === -1 ? [] : lines.slice(start);
  while (/^(>|$)/.test(own.at(-1) ?? 'nothing left')) rest.unshift(own.pop());
  const firstQuoted = rest.findIndex((line) => line.startsWith('>'));
  const isAnsweredInline = firstQuoted !== -1 && rest.slice(firstQuoted).some((line) => line && !line.startsWith('>'));
  return { own: own.join('\n').trim(), rest: rest.join('\n').trim(), isForwarded: FORWARDED.test(bare[start] ?? ''), isAnsweredInline };
};

const PREFIX = /^\s*((re|aw|antw|sv|rép?|fwd?|wg|tr)(\[\d+\])?\s?:|\[(external|extern|ext)\])\s*/i;
const withoutPrefixes = (subject) => (PREFIX.test(subject) ? withoutPrefixes(subject.replace(PREFIX, '')) : subject.trim());

// ---- What kind of email it is ----
const readHeaders = ({ internetMessageHeaders, headers = {} }) => Object.fromEntries(internetMessageHeaders
  ? internetMessageHeaders.map(({ name, value }) => [name.toLowerCase(), value])
  : Object.entries(headers).map(([name, line]) => [name, String(line).replace(/^[^:]*:\s*/, '')]));
const addressesIn = (list) => [list ?? []].flat()
  .flatMap((entry) => entry.emailAddress ?? entry.value ?? []).map(({ address }) => (address ?? '').trim().toLowerCase());

const isAutomatic = (sender, subject, headers) => !sender.includes('@')
  || /^(mailer-daemon|postmaster|microsoftexchange\w*|no-?reply|do-?not-?reply|bounces?|notifications?)([+._-].*)?@/.test(sender)
  || /^(automatic reply|out of office|undeliverable|delivery status|automatische antwort|abwesenheit|unzustellbar|réponse automatique|non remis)/i.test(subject)
  || /^auto-/i.test(headers['auto-submitted'] ?? '') || /bulk|list|junk|auto/i.test(headers.precedence ?? '')
  || /^multipart\/report/i.test(headers['content-type'] ?? '') || /^<\s*>$/.test(headers['return-path'] ?? '')
  || ['list-id', 'list-unsubscribe', 'x-autoreply', 'x-autorespond', 'x-auto-response-suppress'].some((name) => name in headers);
const isMeeting = (email, subject, headers, files) => /eventMessage/.test(email['@odata.type'] ?? '')
  || /calendarmessage/i.test(headers['content-class'] ?? '') || /^text\/calendar/i.test(headers['content-type'] ?? '')
  || /^(accepted|declined|tentative|tentatively accepted|canceled|zugesagt|abgelehnt|mit vorbehalt|abgesagt|accepté|refusé|provisoire|annulé) ?:/i.test(subject)
  || files.some((file) => file.mimeType === 'text/calendar' || typeOf(file) === 'ics');

const prepare = ({ email, parts }, index) => {
  const headers = readHeaders(email);
  const [sender = ''] = addressesIn(email.from);
  const recipients = addressesIn(email.toRecipients ?? email.to);
  const subject = String(email.subject ?? '');
  const whole = readText(email, headers);
  const { own, rest, isForwarded, isAnsweredInline } = splitThread(whole);
  // A forward asks about what it forwards. A reply asks with its own words, unless they stand between the quoted lines.
  const isWhole = isForwarded || isAnsweredInline || !own || /^\s*(\[\w+\]\s*)?(fwd?|wg|tr)\s?:/i.test(subject);
  const text = isWhole ? whole : own;
  const history = isWhole ? '' : rest;

  const files = parts.flatMap(({ binary = {} }) => Object.entries(binary));
  const worth = files.filter(([, file]) => !isDecoration(file));
  const rank = ([, file]) => ((file.bytes ?? 0) > MOST_BYTES ? -1 : READABLE.indexOf(typeOf(file)));
  const readable = worth.filter((entry) => rank(entry) !== -1).sort((one, other) => rank(one) - rank(other));
  // A question can have 10,000 characters: a longer text goes along as a file, too.
  const message = { data: Buffer.from(text).toString('base64'), mimeType: 'text/plain', fileName: 'Message.txt' };
  const sent = [...(text.length > MOST_CHARACTERS ? [['message', message]] : []), ...readable].slice(0, MOST_FILES);
  const notSent = worth.filter(([field]) => !sent.some(([name]) => name === field)).map(([, file]) => nameOf(file));
  const notDownloaded = parts.filter(({ json, binary }) => json !== email && !binary).map(({ json }) => json.name ?? 'a shared file');
  const unread = [...new Set([...notSent, ...notDownloaded, ...(text.match(SHARED_FILE) ?? [])])];
  const contracts = readable.filter(([, file]) => CONTRACTS.includes(typeOf(file))).length;

  const isOwn = ourAddresses.includes(sender) || (email.labelIds ?? []).some((label) => ['SENT', 'DRAFT'].includes(label));
  const isCopy = ourAddresses.length > 0 && !recipients.some((address) => ourAddresses.includes(address));
  const isUnreadable = unread.length > 0 && readable.length === 0;
  const kind = isOwn ? 'own' : isAutomatic(sender, subject, headers) ? 'automatic'
    : isMeeting(email, subject, headers, files.map(([, file]) => file)) && contracts === 0 ? 'meeting'
    : isCopy ? 'copy' : isUnreadable ? 'unreadable' : 'question';

  return {
    json: {
      kind, sender, contracts, unread, attached: sent.map(([, file]) => nameOf(file)),
      subject: withoutPrefixes(subject).slice(0, 200),
      text: text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}\n\n(The whole message is attached as Message.txt.)` : text,
      history: history.slice(0, Math.max(0, MOST_CHARACTERS - text.length)),
      answersUs: ourAddresses.some((address) => history.split('\n').slice(0, 4).join(' ').toLowerCase().includes(address)),
      id: email.id, messageId: email.internetMessageId ?? email.messageId ?? email.id, receivedAt: email.receivedDateTime ?? email.date ?? '',
    },
    binary: Object.fromEntries(sent),
    pairedItem: index,
  };
};

const emails = [];
for (const [index, item] of $input.all().entries()) {
  if (item.json.headers || item.json.internetMessageId) emails.push({ email: item.json, parts: [], index });
  emails.at(-1).parts.push(item);
}
return emails.map((entry) => prepare(entry, entry.index));
