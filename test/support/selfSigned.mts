import { createServer, type Server } from 'node:https';

import { listenLocally } from '../../harness/localServer.mts';

// Made for tests, for the names localhost, legal-ai.example and n8n.example: no client trusts it unless it is told to.
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgfeFWj0ml6wsnnSsh
3X4EgG1DR6iocau7mW6rkvNsuoahRANCAASUaUGcjP1KLf53S38Q14EmEdn7hIdK
maeq0In0uzX6G3VCXZKBwuBhUZgvhUeDKW2WKmrNGVUuExNdlZrbP5ja
-----END PRIVATE KEY-----`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBuzCCAWCgAwIBAgIUIZZQ0EHdbtoSHT9DidPU/vtdJv0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyMjAwMzUxMFoXDTM2MTExOTAw
MzUxMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAElGlBnIz9Si3+d0t/ENeBJhHZ+4SHSpmnqtCJ9Ls1+ht1Ql2SgcLgYVGY
L4VHgyltlipqzRlVLhMTXZWa2z+Y2qOBjzCBjDAdBgNVHQ4EFgQU0HxfDo2nTpKv
na25cihc91FWMIgwHwYDVR0jBBgwFoAU0HxfDo2nTpKvna25cihc91FWMIgwDwYD
VR0TAQH/BAUwAwEB/zA5BgNVHREEMjAwgglsb2NhbGhvc3SCEGxlZ2FsLWFpLmV4
YW1wbGWCC244bi5leGFtcGxlhwR/AAABMAoGCCqGSM49BAMCA0kAMEYCIQCfVrHX
5TOnTGUW42sIijzvvD3SdrYL/bMO/Kgyv3ygmwIhAPoxMYsOlRR8UPBfr8CYsiUw
m4fGrcVxtouuwZqkcZ0q
-----END CERTIFICATE-----`;

/** A server whose certificate is not trusted. It counts the requests that were sent to it anyway. */
export async function startSelfSigned(): Promise<{ origin: string; server: Server; requests: () => number }> {
	let requests = 0;
	const server = createServer({ key: privateKey, cert: certificate }, (_request, response) => {
		requests += 1;
		response.end('{}');
	});
	return { origin: `https://127.0.0.1:${await listenLocally(server)}`, server, requests: () => requests };
}
