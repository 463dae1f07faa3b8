import { randomUUID } from 'node:crypto';

/** A part of an email: its text, or a file. */
export interface MimePart {
	readonly type: string;
	readonly fileName?: string;
	readonly content: Buffer | string;
}

/** An email as a mail program sends it, with the names of its files encoded; `headers` are added, or replace the date and the ID. */
export function mimeMessage(
	subject: string,
	parts: readonly MimePart[],
	from = 'Sales <sales@meridian.example>',
	headers: Readonly<Record<string, string>> = {},
): string {
	const all = { 'Message-ID': `<${randomUUID()}@example.com>`, Date: new Date().toUTCString(), ...headers };
	const boundary = randomUUID();
	const encoded = parts.map(({ type, fileName, content }) => {
		const disposition = fileName === undefined ? 'inline' : `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`;
		const base64 = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n');
		return `--${boundary}\nContent-Type: ${type}\nContent-Transfer-Encoding: base64\nContent-Disposition: ${disposition}\n\n${base64}\n`;
	});
	return `From: ${from}
To: Legal <legal@example.com>
Subject: ${subject}
${Object.entries(all).map(([name, value]) => `${name}: ${value}`).join('\n')}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="${boundary}"

${encoded.join('')}--${boundary}--
`;
}
