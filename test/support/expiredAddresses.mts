/** What a file store answers once a presigned address has expired. */
export interface ExpiredAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;
}

const xml = (status: number, code: string, message: string): ExpiredAnswer => ({
	...{ status, contentType: 'application/xml' },
	body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

const json = (status: number, body: object): ExpiredAnswer => ({
	status,
	contentType: 'application/json',
	body: JSON.stringify(body),
});

const page = (status: number, text: string): ExpiredAnswer => ({
	...{ status, contentType: 'text/html; charset=utf-8' },
	body: `<html><h1>${text}</h1></html>`,
});

/** The forms of it, by the store that has them, as their documentation and users show them; real stores are in `test/stores/`. */
export const EXPIRED_ANSWERS = {
	'Amazon S3': xml(403, 'AccessDenied', 'Request has expired'),
	'Amazon S3, key that is valid for a time': xml(
		400,
		'ExpiredToken',
		'The provided token has expired.',
	),
	'Amazon S3, clock that is wrong': xml(
		403,
		'RequestTimeTooSkewed',
		'The difference between the times is too large.',
	),
	'S3 of others, clock that is wrong': xml(
		400,
		'RequestTimeTooSkewed',
		'The difference between the times is too large.',
	),
	'Cloudflare R2': xml(400, 'ExpiredRequest', 'Request has expired'),
	'Google Cloud Storage': xml(400, 'ExpiredToken', 'Invalid argument.'),
	'Azure Blob Storage': xml(
		403,
		'AuthenticationFailed',
		'Signature not valid in the specified time frame',
	),
	'Azure Blob Storage, file that is gone': xml(
		404,
		'BlobNotFound',
		'The specified blob does not exist.',
	),
	'OpenStack TempURL': page(401, 'Unauthorized: Temp URL invalid'),
	'Backblaze B2': json(401, {
		code: 'expired_auth_token',
		message: 'Authorization token has expired',
		status: 401,
	}),
	Supabase: json(400, {
		statusCode: '400',
		error: 'InvalidJWT',
		message: '"exp" claim timestamp check failed',
	}),
	'Store that conflicts': json(409, { message: 'This link was used before' }),
	'Store that asks again': page(407, 'Sign in'),
	'Store that forgets': page(404, 'Not found'),
	'Store that remembers': page(410, 'Gone'),
	'Store that hides': { status: 422, contentType: 'text/plain', body: '' },
} satisfies Record<string, ExpiredAnswer>;
