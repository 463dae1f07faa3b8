import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { parseBaseUrl, readResponse, type SendHttp, sendRequest } from '../api';
import { userMessageOf } from '../errors/nodeError';
import { credentialTexts } from '../messages';

/** Someone is waiting in front of a dialog. */
const TIMEOUT_MS = 15_000;

/** Tests the credential with GET /me. A test that the credential itself describes would say no more than the network's code. */
export async function testLegalAiApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { href } = parseBaseUrl(data.baseUrl);
		const headers = { Authorization: `Bearer ${String(data.apiKey).trim()}` };
		readResponse(
			await sendRequest(sendBy(this), {
				method: 'GET',
				url: `${href}/me`,
				headers,
				timeoutMs: TIMEOUT_MS,
			}),
		);
		return { status: 'OK', message: credentialTexts.accepted };
	} catch (error) {
		// n8n shows one text: it says what to do, too.
		const { message, description } = userMessageOf(error);
		return { status: 'Error', message: `${message.replace(/\.$/, '')}. ${description}` };
	}
}

/** Uses the only helper that n8n has for such tests. A redirect is not followed, since it would get the key. */
function sendBy({ helpers }: ICredentialTestFunctions): SendHttp {
	return async ({ url, method, headers, timeout }) => {
		const asked = { url, method, headers, timeout, useStream: true };
		return (await helpers.request({
			...asked,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as unknown;
	};
}
