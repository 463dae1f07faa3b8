import { UserError } from 'n8n-workflow';

import { isOutOfReach, parseBaseUrl, classifyReach } from '../../../nodes/LegalAi/api/addresses.ts';

const SERVICE = 'https://legal-ai.example.com/api/v1';

test.each([
	[` ${SERVICE}/ `, SERVICE],
	[`${SERVICE}///`, SERVICE],
	['https://legal-ai.example.com/eu/api/v1', 'https://legal-ai.example.com/eu/api/v1'],
	['http://localhost:8787/api/v1', 'http://localhost:8787/api/v1'],
	['http://[::1]:8787/api/v1', 'http://[::1]:8787/api/v1'],
])('%j may be the Base URL', (text, expected) => {
	expect(parseBaseUrl(text).href).toBe(expected);
});

test.each([
	[/empty, or not a web address/, [undefined, '', '  ', 7]],
	[/not a web address/, ['legal-ai.example.com/api/v1', 'ftp://legal-ai.example.com/api/v1']],
	[/unencrypted/, ['http://legal-ai.example.com/api/v1', 'http://192.168.1.2/api/v1']],
	[
		/not a plain address/,
		[
			...['me:pw', 'me', ':pw'].map((user) => `https://${user}@legal-ai.example.com/api/v1`),
			...[`${SERVICE}?key=1`, `${SERVICE}#top`, `${SERVICE}/x/..`],
			...['x/../api/v1', 'x/%2E%2e/api/v1'].map((path) => `https://legal-ai.example.com/${path}`),
		],
	],
	[
		/must end in \/api\/v1/,
		['https://legal-ai.example.com', 'https://legal-ai.example.com/api/v2'],
	],
])('a Base URL is refused with a message like %s: %j', (message, texts) => {
	for (const text of texts) {
		expect(() => parseBaseUrl(text)).toThrow(UserError);
		expect(() => parseBaseUrl(text)).toThrow(message);
	}
});

test.each([
	['https://n8n.example.com/webhook/legal-ai/w1', SERVICE, false],
	['http://localhost:5678/webhook/legal-ai/w1', 'http://127.0.0.1:8787/api/v1', false],
	['https://n8n.example.com/webhook/legal-ai/w1', 'http://127.0.0.1:8787/api/v1', false],
	['http://localhost:5678/webhook/legal-ai/w1', 'https://192.168.1.2/api/v1', true],
	['http://192.168.1.3:5678/webhook/legal-ai/w1', 'https://192.168.1.2/api/v1', false],
	['http://192.168.1.3:5678/webhook/legal-ai/w1', SERVICE, true],
	['http://169.254.1.1:5678/webhook/legal-ai/w1', 'http://localhost:8787/api/v1', false],
])(
	'a callback address %s is out of reach for the service at %s: %s',
	(callback, service, expected) => {
		expect(isOutOfReach(new URL(callback), new URL(service))).toBe(expected);
	},
);

/** What the host of an address is taken for. */
const HOSTS = {
	loopback: [
		'localhost',
		'127.10.0.1',
		'[::1]',
		'[::ffff:7f00:1]',
		'app.localhost',
		'0.0.0.0',
		'[::]',
		'[::127.0.0.1]',
		'[64:ff9b::7f00:1]',
		'0x7f.1',
	],
	private: [
		'n8n',
		'mylocalhost',
		'box.lan',
		'n8n.local',
		'192.168.178.20',
		'172.31.255.255',
		'10.0.0.1',
		'100.64.0.1',
		'100.75.0.1',
		'100.110.0.1',
		'100.125.0.1',
		'172.25.0.1',
		'[::ffff:10.0.0.1]',
		'[fec0::1]',
		'[ff02::1]',
		'198.18.0.1',
		'224.0.0.1',
		'255.255.255.255',
		'[fd00::1]',
	],
	public: [
		'192.169.1.1',
		'172.15.0.1',
		'localhost.example.com',
		'n8n.local.example.com',
		'127.0.0.1.example.com',
		'100.63.0.1',
		'100.128.0.1',
		'8.169.254.1',
		'169.254.1.1.example.com',
		'[64:ff9b::8.8.8.8]',
		'[::ffff:8.8.8.8]',
		'[2001:db8::]',
		'[2a00:1450:4001:80b:1:2:3:200e]',
		'legal-ai.example.com',
	],
	linkLocal: [
		'169.254.169.254',
		'[::ffff:169.254.169.254]',
		'[fe80::1]',
		'[febf::1]',
		'0251.0376.0251.0376',
	],
};

const hosts = Object.entries(HOSTS).flatMap(([reach, all]) => all.map((host) => ({ host, reach })));
test.each(hosts)('$host is $reach', ({ host, reach }) => {
	expect(classifyReach(new URL(`http://${host}/`))).toBe(reach);
});
