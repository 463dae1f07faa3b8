import { expect, test } from 'vitest';

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
])('callbacks to %s from %s out of reach: %s', (callback, service, expected) => {
	expect(isOutOfReach(callback, service)).toBe(expected);
});

test.each([
	['localhost', 'loopback'],
	['127.0.0.1', 'loopback'],
	['[::1]', 'loopback'],
	['[::ffff:7f00:1]', 'loopback'],
	['localhost.', 'loopback'],
	['n8n', 'private'],
	['app.localhost', 'loopback'],
	['127.8.9.10', 'loopback'],
	['mylocalhost', 'private'],
	['n8n.internal', 'private'],
	['box.lan', 'private'],
	['box.home.arpa', 'private'],
	['n8n.local', 'private'],
	['192.168.178.20', 'private'],
	['192.169.1.1', 'public'],
	['172.15.0.1', 'public'],
	['172.32.0.1', 'public'],
	['172.31.255.255', 'private'],
	['localhost.example.com', 'public'],
	['fd00.example', 'public'],
	['n8n.local.example.com', 'public'],
	['127.0.0.1.example.com', 'public'],
	['10.0.0.1', 'private'],
	['100.63.0.1', 'public'],
	['100.64.0.1', 'private'],
	['100.70.0.1', 'private'],
	['100.100.0.1', 'private'],
	['100.128.0.1', 'public'],
	['172.20.0.1', 'private'],
	['8.10.0.1', 'public'],
	['8.169.254.1', 'public'],
	['0.0.0.0', 'loopback'],
	['[::]', 'loopback'],
	['[::127.0.0.1]', 'loopback'],
	['[64:ff9b::7f00:1]', 'loopback'],
	['[64:ff9b::8.8.8.8]', 'public'],
	['169.254.169.254', 'linkLocal'],
	['[::ffff:169.254.169.254]', 'linkLocal'],
	['[fe80::1]', 'linkLocal'],
	['[febf::1]', 'linkLocal'],
	['[::ffff:10.0.0.1]', 'private'],
	['[::ffff:8.8.8.8]', 'public'],
	['[fec0::1]', 'private'],
	['[ff02::1]', 'private'],
	['[2001:db8::]', 'public'],
	['[2a00:1450:4001:80b:0:0:0:200e]', 'public'],
	['[2a00:1450:4001:80b:1:2:3:200e]', 'public'],
	['198.18.0.1', 'private'],
	['224.0.0.1', 'private'],
	['255.255.255.255', 'private'],
	['0x7f.1', 'loopback'],
	['2130706433', 'loopback'],
	['0251.0376.0251.0376', 'linkLocal'],
	['LOCALHOST', 'loopback'],
	['[fd00::1]', 'private'],
	['[fc00::1]', 'private'],
	['legal-ai.example.com', 'public'],
])('%s is %s', (host, reach) => {
	expect(reachOf(new URL(`http://${host}/`).hostname)).toBe(reach);
});
