/** What the service or its file storage says no with. Each has its own form for it. */
export class Refusal extends Error {
	status;
	code;
	headers;

	constructor(
		status: number,
		code: string,
		message: string,
		headers: Readonly<Record<string, string>> = {},
	) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
}

export const notFound = (message: string) => new Refusal(404, 'resource_not_found', message);
