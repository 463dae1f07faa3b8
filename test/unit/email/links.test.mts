import { findFilesElsewhere, unwrapLinks } from '../../../nodes/LegalAiEmail/links.ts';

test.each([
	'https://acme.sharepoint.com/:w:/s/legal/EaBc',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/Forms/AllItems.aspx?id=%2Fsites%2Flegal%2FShared%20Documents%2FNDA%2Edocx&parent=%2Fsites',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/Forms/AllItems.aspx?id=%2Fsites%2Flegal%2FNDAs',
	'https://acme.sharepoint.com/sites/legal/_layouts/15/Doc.aspx?sourcedoc=%7B1A2B%7D&action=default',
	'https://acme-my.sharepoint.com/personal/ann/_layouts/15/onedrive.aspx?id=%2Fpersonal%2Fann%2FNDAs',
	'https://acme.sharepoint.com/sites/legal/Shared%20Documents/NDA.docx?web=1',
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
