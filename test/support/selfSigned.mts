import { createServer } from 'node:https';

import { listenLocally } from '../../harness/localServer.mts';

// Made for tests, for the names localhost, legal-ai.example, n8n.example and registry.npmjs.org: no client trusts it unless it is told to.
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfeFWj0ml6wsnnSsh
3X4EgG1DR6iocau7mW6rkvNsuoahRANCAASUaUGcjP1KLf53S38Q14EmEdn7hIdK
maeq0In0uzX6G3VCXZKBwuBhUZgvhUeDKW2WKmrNGVUuExNdlZrbP5ja
-----END PRIVATE KEY-----`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBzTCCAXSgAwIBAgIUOOm/sPd7RHqyPVHPr03mbmOFdUMwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyMzE4MjgyNloXDTM2MTEyMDE4
MjgyNlowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAElGlBnIz9Si3+d0t/ENeBJhHZ+4SHSpmnqtCJ9Ls1+ht1Ql2SgcLgYVGY
L4VHgyltlipqzRlVLhMTXZWa2z+Y2qOBozCBoDAdBgNVHQ4EFgQU0HxfDo2nTpKv
na25cihc91FWMIgwHwYDVR0jBBgwFoAU0HxfDo2nTpKvna25cihc91FWMIgwDwYD
VR0TAQH/BAUwAwEB/zBNBgNVHREERjBEgglsb2NhbGhvc3SCEGxlZ2FsLWFpLmV4
YW1wbGWCC244bi5leGFtcGxlghJyZWdpc3RyeS5ucG1qcy5vcmeHBH8AAAEwCgYI
KoZIzj0EAwIDRwAwRAIga3EEdr+YVUnwD5511iz5TjRhTQ5MaZ10oJ5Gz5eflIEC
ICfBzV12wlzHC8uFWieKi55igl4ZTzJTOaoh92glqZzU
-----END CERTIFICATE-----`;

/** A server whose certificate is not trusted. It counts the requests that were sent to it anyway. */
export async function startSelfSigned() {
	let requests = 0;
	const server = createServer({ key: privateKey, cert: certificate }, (_request, response) => {
		requests += 1;
		response.end('{}');
	});
	return {
		origin: `https://127.0.0.1:${await listenLocally(server)}`,
		server,
		requests: () => requests,
	};
}
