import { expect, test } from 'vitest';

import { isOutOfReach } from '../../nodes/LegalAi/api/baseUrl.ts';
import { unreachableHint } from '../../nodes/LegalAi/callbacks/target.ts';

test.each(['localhost', 'app.localhost', '127.0.0.1', '127.8.9.10', '[::1]', '0.0.0.0', '10.1.2.3', '172.16.0.1',
	'172.31.255.255', '192.168.178.20', '169.254.1.1', '[fd12::3]', '[fe80::1]', 'n8n', 'n8n.local', 'n8n.internal',
	'box.lan', 'box.home.arpa', '2130706433'])('nobody outside can reach %s', (host) => {
	expect(isOutOfReach(`http://${host}/`, 'https://legal-ai.example.com/api/v1')).toBe(true);
	expect(isOutOfReach(`http://${host}/`, `http://${host}/api/v1`)).toBe(false);
});

test.each(['n8n.example.com', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.1.1', '11.0.0.1', '[2001:db8::1]',
	'local.example', 'localhost.example.com', '10.example.com', 'fd00.example'])('%s may be public', (host) => {
	expect(isOutOfReach(`http://${host}/`, 'https://legal-ai.example.com/api/v1')).toBe(false);
});

test('answers of a public service can not arrive at a private address', () => {
	const service = 'https://legal-ai.example.com/api/v1';
	expect(unreachableHint('http://localhost:5678/webhook/legal-ai/w1?token=t', service)).toContain('WEBHOOK_URL');
	expect(unreachableHint('http://localhost:5678/webhook/legal-ai/w1?token=t', service)).not.toContain('token');
	expect(unreachableHint('https://n8n.example.com/webhook/legal-ai/w1', service)).toBeUndefined();
	expect(unreachableHint('http://localhost:5678/webhook/legal-ai/w1', 'http://127.0.0.1:8787/api/v1')).toBeUndefined();
	expect(unreachableHint('https://n8n.example.com/webhook/legal-ai/w1', 'http://127.0.0.1:8787/api/v1')).toBeUndefined();
});
