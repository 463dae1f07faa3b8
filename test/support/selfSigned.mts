import { createServer, type Server } from 'node:https';

// Made for this test, for the name localhost; no client trusts it, which is its purpose.
export const privateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghGZGCRjqxo9xs/m+
+m/vry7+HunSBdjFZbALM3i0kyyhRANCAAQtqR0Pw68v965bcUKDiBqNDWA+BIT+
C5f5Ev5TZGXkTPQrKezaKp5gqiTiocLE+6HyUT4GGlu95GYNVzr4jGVn
-----END PRIVATE KEY-----`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmjCCAT+gAwIBAgIUC1/U1dx6Mq1jMCOlZk/5ByApF0wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MB4XDTI2MTEyMTA4NDAzNFoXDTM2MTExODA4
NDAzNFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAELakdD8OvL/euW3FCg4gajQ1gPgSE/guX+RL+U2Rl5Ez0Kyns2iqeYKok
4qHCxPuh8lE+BhpbveRmDVc6+IxlZ6NvMG0wHQYDVR0OBBYEFDtAQw84J2TTg4V6
wzqZEW1Gi/EKMB8GA1UdIwQYMBaAFDtAQw84J2TTg4V6wzqZEW1Gi/EKMA8GA1Ud
EwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49
BAMCA0kAMEYCIQCDQnBvAA6LZUgeNyvc7jDfnklZNl7krTyvV7CIbWLl1wIhAMeY
E5ihHauMQChyNcdSfCCFTAFo2hCadfjisOBnbMTC
-----END CERTIFICATE-----`;

/** A server whose certificate nobody has vouched for. It counts the requests that were sent to it all the same. */
export async function startSelfSigned(): Promise<{ origin: string; server: Server; requests: () => number }> {
	let requests = 0;
	const server = createServer({ key: privateKey, cert: certificate }, (_request, response) => {
		requests += 1;
		response.end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server got no port');
	return { origin: `https://127.0.0.1:${address.port}`, server, requests: () => requests };
}
