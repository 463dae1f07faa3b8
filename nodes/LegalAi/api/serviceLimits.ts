/** What the service allows at most ("Limits" in its specification). Texts that users read say the same numbers, as a test checks. */
export const SERVICE_LIMITS = {
	/** For an organization, as is the next one; both refill continuously. */
	newSessionsPerMinute: 60,
	requestsPerMinute: 400,
	questionCharacters: 10_000,
	attachments: 10,
	fileMegabytes: 50,
	/** For a synchronous question. */
	syncSeconds: 30,
	/** The largest page of tasks. */
	pageSize: 100,
	uploadedFileDays: 30,
	/** How long links to generated files work. */
	linkHours: 24,
	/** How old the signature of a callback may be, and how far in the future. */
	signatureSeconds: 60,
} as const;
