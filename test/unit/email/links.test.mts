import { findFilesElsewhere, unwrapLinks } from '../../../nodes/LegalAiEmail/links.ts';

test.each([
	'https://acme.sharepoint.com/:w:/s/legal/EaBc',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/Forms/AllItems.aspx?id=%2Fsites%2Flegal%2FShared%20Documents%2FNDA%2Edocx&parent=%2Fsites',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/Forms/AllItems.aspx?id=%2Fsites%2Flegal%2FNDAs',
	'https://acme.sharepoint.com/sites/legal/_layouts/15/Doc.aspx?sourcedoc=%7B1A2B%7D&action=default',
	'https://acme-my.sharepoint.com/personal/ann/_layouts/15/onedrive.aspx?id=%2Fpersonal%2Fann%2FNDAs',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/NDA.docx?web=1',
	'https://acme.sharepoint.com/sites/legal/_layouts/15/guestaccess.aspx?docid=1aB&authkey=x',
	'https://acme.sharepoint.com/sites/legal/_layouts/15/download.aspx?UniqueId=%7B1a%7D',
	'https://acme.sharepoint.com/sites/legal/_layouts/15/DocIdRedir.aspx?ID=ABC-1-2',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/NDAs',
	'https://acme-my.sharepoint.com/my?id=%2Fpersonal%2Fann%2FDocuments%2FNDAs&login_hint=a',
	'https://protect-eu.mimecast.com/s/aBcDe?domain=drive.google.com',
	'file:///\\\\server\\legal\\NDA.docx',
	'https://teams.microsoft.com/l/file/1A2B?tenantId=x&fileType=docx',
	'https://vendor.example/files/NDA%2Edocx',
	'https://mega.nz/file/aB#c',
	'https://drive.proton.me/urls/1AB#c',
	'https://www.swisstransfer.com/d/1a2b',
	'https://mail.proton.me/eo/1AB#c',
])('a link to a file elsewhere: %s', (address) => {
	expect(findFilesElsewhere(`Please review ${address}, thanks.`)).toEqual([address]);
});

test.each([
	'https://acme.sharepoint.com/sites/legal',
	'https://acme.sharepoint.com/sites/legal/SitePages/Home.aspx',
	'https://acme.sharepoint.com/sites/legal/Lists/Issues/AllItems.aspx',
	'https://teams.microsoft.com/l/meetup-join/19%3ameeting',
	'https://protect-eu.mimecast.com/s/aBcDe?domain=vendor.example',
	'https://vendor.example/a.pdf.html',
	'https://vendor.example/%E0%A4%A',
])('a link to a page: %s', (address) => {
	expect(findFilesElsewhere(`See ${address}`)).toEqual([]);
});

test('a file of Mail Drop is one, though its address has another one in it', () => {
	const address =
		'https://www.icloud.com/attachment/?u=https%3A%2F%2Fcvws.icloud-content.com%2FB%2F1a&f=NDA.pdf';
	expect(findFilesElsewhere(unwrapLinks(address))).toEqual([address]);
});

test('words that are the name of a file make a link one to it, with a blank behind them or without', () => {
	const address = 'https://portal.vendor.example/d/123';
	expect(findFilesElsewhere(`Please review NDA.docx <${address}>`)).toEqual([address]);
	expect(findFilesElsewhere(`Please review NDA.docx<${address}>`)).toEqual([address]);
});

const file = 'https://drive.google.com/file/d/1aB/view?usp=sharing';
const safe = `https://eur03.safelinks.protection.outlook.com/?url=${encodeURIComponent(file)}&data=05%7C02&reserved=0`;

test.each([
	['請看', safe, '。第7条可以接受吗？'],
	['契約書（', `https://www.google.com/url?q=${file}&sa=D`, '）の第7条を確認してください。'],
	['请看', `https://urldefense.com/v3/__${file}__;!!aB!c$`, '第7条可以接受吗？'],
	['(see ', safe, ').'],
	['[', safe, '] Please'],
])('the words around a rewritten address stay: %s%s%s', (before, address, behind) => {
	expect(unwrapLinks(before + address + behind)).toBe(before + file + behind);
});

test('a mark of Chinese or Japanese ends an address', () => {
	expect(findFilesElsewhere(`请看${file}。第7条可以接受吗？`)).toEqual([file]);
});

test.each([
	[
		'Proofpoint, of whose two slashes a server has made one',
		'https://urldefense.com/v3/__https:/drive.google.com/file/d/1aB/view?usp=sharing__;!!aB!c$',
		file,
	],
	[
		'Proofpoint, with "#" behind a star',
		'https://urldefense.com/v3/__https://mega.nz/file/aB*c__;Iw!!aB!c$',
		'https://mega.nz/file/aB#c',
	],
	[
		'Proofpoint, with "%" behind each star',
		'https://urldefense.com/v3/__https://vendor.example/My*20own*20NDA.docx__;JSU!!aB!c$',
		'https://vendor.example/My%20own%20NDA.docx',
	],
	[
		'Check Point, which says nothing of stars',
		'https://url.avanan.click/v2/___https://vendor.example/a*b___.YXAzOmE6bzphYmM',
		'https://vendor.example/a*b',
	],
	[
		'Sophos',
		`https://eu-west-1.protection.sophos.com/?d=google.com&u=${btoa(file)}&i=NWU&t=aB=&h=cd`,
		file,
	],
	[
		'a gateway that does not encode the colon',
		`https://gateway.example/?url=https:${encodeURIComponent(file.slice(6))}&x=1`,
		file,
	],
])('the address inside a rewritten one is read: %s', (_, rewritten, address) => {
	expect(unwrapLinks(rewritten)).toBe(address);
});

test.each([
	'https://files.vendor.example/NDA.docx?from=https%3A%2F%2Fvendor.example%2F',
	'https://vendor.example/review/123?returnUrl=https%3A%2F%2Fvendor.example%2Fhome',
])('an address with that of another page stays: %s', (address) => {
	expect(unwrapLinks(address)).toBe(address);
});
