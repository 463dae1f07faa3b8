import { isOutOfReach, reachOf } from '../../../nodes/LegalAi/api/reach.ts';

const SERVICE = 'https://legal-ai.example.com/api/v1';

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
		expect(isOutOfReach(callback, service)).toBe(expected);
	},
);

/** What the host of an address is taken for. */
const HOSTS = {
	loopback: [
		'localhost',
		'127.0.0.1',
		'[::1]',
		'[::ffff:7f00:1]',
		'localhost.',
		'app.localhost',
		'127.8.9.10',
		'0.0.0.0',
		'[::]',
		'[::127.0.0.1]',
		'[64:ff9b::7f00:1]',
		'0x7f.1',
		'2130706433',
		'LOCALHOST',
	],
	private: [
		'n8n',
		'mylocalhost',
		'n8n.internal',
		'box.lan',
		'box.home.arpa',
		'n8n.local',
		'192.168.178.20',
		'172.31.255.255',
		'10.0.0.1',
		'100.64.0.1',
		'100.70.0.1',
		'100.100.0.1',
		'172.20.0.1',
		'[::ffff:10.0.0.1]',
		'[fec0::1]',
		'[ff02::1]',
		'198.18.0.1',
		'224.0.0.1',
		'255.255.255.255',
		'[fd00::1]',
		'[fc00::1]',
	],
	public: [
		'192.169.1.1',
		'172.15.0.1',
		'172.32.0.1',
		'localhost.example.com',
		'fd00.example',
		'n8n.local.example.com',
		'127.0.0.1.example.com',
		'100.63.0.1',
		'100.128.0.1',
		'8.10.0.1',
		'8.169.254.1',
		'[64:ff9b::8.8.8.8]',
		'[::ffff:8.8.8.8]',
		'[2001:db8::]',
		'[2a00:1450:4001:80b:0:0:0:200e]',
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
	expect(reachOf(new URL(`http://${host}/`).hostname)).toBe(reach);
});
