/** An error answer of the API: status and `error_code` as under "Errors" in the specification. */
export class ApiError extends Error {
	readonly status: number;
	readonly code: string;
	readonly headers: Record<string, string>;
	readonly extra: Record<string, unknown>;

	constructor(
		status: number,
		code: string,
		message: string,
		more: { headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
	) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = more.headers ?? {};
		this.extra = more.extra ?? {};
	}

	body(): Record<string, unknown> {
		return { error_code: this.code, svc_api_error_code: this.code, message: this.message, ...this.extra };
	}
}

export const invalidBody = (message: string): ApiError => new ApiError(400, 'invalid_request_body', message);

/** The specification has no code for an invalid query parameter, so this one is not listed there. Clients have to cope with it. */
export const invalidParameter = (message: string): ApiError => new ApiError(400, 'invalid_request_parameter', message);

export const notFound = (message: string): ApiError => new ApiError(404, 'resource_not_found', message);

export const unauthorized = (message: string): ApiError => new ApiError(401, 'unauthorized', message);
