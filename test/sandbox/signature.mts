import { createHmac } from 'node:crypto';

/**
 * The `Service-Signature` header of a callback (specification, "Events").
 * @param timestamp unix seconds
 * @param body the raw body, as sent
 */
export function serviceSignature(secret: string, timestamp: number, body: string) {
	const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
	return `t=${timestamp},v1=${signature}`;
}
