import { userError } from '../LegalAi/api/errors';
import { isRecord } from '../LegalAi/api/json';
import { type Headers, readHeader } from './headers';

export interface Person {
	/** In lower case, as it is shown. */
	address: string;
	name: string;
}

/** No server takes a longer address (RFC 5321, 4.5.3.1). */
const LONGEST_ADDRESS = 320;
/** More than the recipients that servers let into a header. */
const LONGEST_HEADER = 10_000;

/** Reads the people in a header, as mailparser (which nests groups) and Outlook give them. */
export function readPeople(header: unknown): Person[] {
	if (Array.isArray(header)) return header.flatMap(readPeople);
	if (!isRecord(header)) return [];
	const { address, name, value, group, emailAddress } = header;
	if (address === undefined || group !== undefined)
		return [value, group, emailAddress].flatMap(readPeople);
	return [
		{
			address: String(address).toLowerCase().slice(0, LONGEST_ADDRESS),
			name: String(name ?? ''),
		},
	];
}

/** Splits what people enter or copy, and what stands in a header: of a name and an <address>, the address counts. */
function splitList(text: string) {
	return text
		.replace(/"[^"]*"(?=\s*<)/g, '')
		.split(/[,;\n]/)
		.flatMap((entry) => (/<([^<>]*)>/.exec(entry)?.[1] ?? entry).split(/\s+/))
		.map((entry) => entry.replace(/["[\]]/g, '').replace(/^mailto:/i, ''))
		.filter(Boolean);
}

/** An address as mail servers compare it: without quotation marks, its domain as DNS has it. */
function normalizeAddress(address: string) {
	const plain = address
		.trim()
		.toLowerCase()
		.replace(/"/g, '')
		.replace(/^'(.*)'$/, '$1');
	const domain = plain.lastIndexOf('@') + 1;
	return plain.slice(0, domain) + normalizeDomain(plain.slice(domain));
}

function normalizeDomain(domain: string) {
	const name = domain.trim().toLowerCase().replace(/\.$/, '');
	// A URL has a name in other letters than a to z in the form that DNS has.
	const address = `http://${name}`;
	return /^[^\s/\\?#:@%]+$/.test(name) && URL.canParse(address) ? new URL(address).hostname : name;
}

/** RFC 5233: `legal+nda@example.com` is delivered to `legal@example.com`. */
export function withoutTag(address: string) {
	return address.replace(/\+[^@]*/, '');
}

export function readDomain(address: string) {
	return normalizeDomain(address.slice(address.lastIndexOf('@') + 1));
}

/**
 * Parses *Our Addresses*. One without a tag stands for all of its tags, one with a tag for itself.
 *
 * @throws {UserError} if one of them can match no email
 */
export function parseOurAddresses(text: string) {
	const entries = splitList(text);
	const wrong = entries.find((entry) => !/^[^@*]+@[^@*]+$/.test(normalizeAddress(entry)));
	if (wrong !== undefined || entries.length === 0)
		throw userError(
			`"Our Addresses" has "${wrong ?? text}", which is not a full email address`,
			'Enter the addresses of the mailbox and its groups in full, separated by commas, e.g. legal@example.com. It also stands for legal+nda@example.com. There are no placeholders such as *.',
		);
	return entries.map(normalizeAddress);
}

/**
 * Parses the domains in *Colleagues*, also those of addresses.
 *
 * @throws {UserError} if there is none, or one of them can match no sender
 */
export function parseColleagues(text: string) {
	const entries = splitList(text);
	return (entries.length > 0 ? entries : [text]).map((entry) => {
		const domain = readDomain(entry);
		if (entry.includes('*') || !/[^.]\.[^.]/.test(domain))
			throw userError(
				`"Colleagues" has "${entry}", which is not a domain`,
				'Enter what comes after the @ in the addresses of colleagues, separated by commas, e.g. example.com, mail.example.com. There are no placeholders such as *.',
			);
		return domain;
	});
}

function isAmong(addresses: readonly string[], address: string) {
	const normalized = normalizeAddress(address);
	return [normalized, withoutTag(normalized)].some((each) => addresses.includes(each));
}

/** Whether nobody reads what is sent to an address: by what services and forms on websites call theirs, RFC 5321 and RFC 2142. */
export function takesNoReplies(address: string) {
	const name = address.slice(0, address.lastIndexOf('@'));
	return (
		/(^|[+._-])(no|do[._-]?not)[._-]?reply($|[+._-])/.test(name) ||
		/^(mailer-daemon|postmaster|bounces?|notifications?|wordpress|microsoftexchange\w*)($|[+._-])/.test(
			name,
		)
	);
}

interface Correspondents {
	headers: Headers;
	from: Person[];
	replyTo: Person[];
	to: Person[];
	/** In *Cc* and *Bcc*. */
	copiesTo: Person[];
}

/** Tells who has written an email, and who they are to us. */
export function identifyPeople(email: Correspondents, ours: string[], colleagues: string[]) {
	const { headers, replyTo, to, copiesTo } = email;
	const isOurs = ({ address }: Person) => isAmong(ours, address);
	const isOther = (person: Person) => person.address !== '' && !isOurs(person);
	const [from = { address: '', name: '' }] = email.from;
	const isFromGroup = isOurs(from) || from.name.includes(' via ');
	const original = isFromGroup ? readOriginalSenders(email, from) : [];
	const authors = (isOurs(from) || original.length > 0 ? original : [from]).filter(isOther);
	const mayBeOthers = !isOurs(from) || authors.length > 0 || isFromList(headers, from);
	const correspondents = mayBeOthers ? [...authors, ...replyTo.filter(isOther)] : [];
	const sender =
		correspondents.find(({ address }) => !takesNoReplies(address)) ?? authors[0] ?? from;
	const resentTo = readResentTo(headers);
	const isResentToUs = resentTo.length > 0 ? resentTo.some(isOurs) : headers.has('resent-from');
	const recipients = [...to, ...copiesTo, ...resentTo];
	const isColleague = ({ address }: Person) => colleagues.includes(readDomain(address));
	return {
		/** The address in *From*. */
		from: from.address,
		/** Who has written it. */
		sender,
		isFromUs: isOurs(sender),
		isColleague: isColleague(from) && isColleague(sender),
		/** Whether a colleague, or another group of theirs, has sent it. */
		isFromCompany: isColleague(from) && !isOurs(from),
		/** Whether it is addressed to others alone. */
		isCopy:
			to.length > 0 && to.every((person) => canBeRead(person) && !isOurs(person)) && !isResentToUs,
		isToOthers: recipients.length > 0 && !recipients.some(isOurs) && !isOurs(sender),
	};
}

export type People = ReturnType<typeof identifyPeople>;

/** Groups put their own address into *From*, lest servers refuse what they pass on. Google's name its author in a header of its own. */
function readOriginalSenders({ headers, replyTo }: Correspondents, group: Person) {
	const nameInGroup = /^'?(.*?)'? via /.exec(group.name)?.[1] ?? group.name;
	return readAddresses(headers, 'x-original-sender').map((address): Person => {
		const known = replyTo.find((person) => person.address === address);
		return known?.name ? known : { address, name: nameInGroup };
	});
}

/** Whether a list may have put its own address into *From* without a header that names the author: Mailman. */
function isFromList(headers: Headers, { name }: Person) {
	const isList = headers.has('list-id') || name.includes(' via ');
	return isList && !headers.has('x-original-sender');
}

/** The people that an email was redirected to (RFC 5322, 3.6.6; Gmail). Exchange names only who has done so. */
function readResentTo(headers: Headers) {
	return ['resent-to', 'x-forwarded-to']
		.flatMap((name) => readAddresses(headers, name))
		.map((address): Person => ({ address, name: '' }));
}

function readAddresses(headers: Headers, name: string) {
	return splitList(readHeader(headers, name).slice(0, LONGEST_HEADER))
		.filter((entry) => entry.includes('@'))
		.map((entry) => entry.toLowerCase());
}

/** Exchange gives internal addresses in forms of its own (MS-OXCMAIL, 2.1.3.1: IMCEAEX). */
function canBeRead({ address }: Person) {
	return address.includes('@') && !address.startsWith('imcea');
}
