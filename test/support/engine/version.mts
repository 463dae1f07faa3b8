/** How versions of n8n differ, as far as a wait depends on it. */
export interface N8nVersion {
	/** `$execution.resumeUrl` contains a token, and a call without it is rejected. */
	readonly signsResumeUrl: boolean;
	/** If several calls resume an execution at the same time, one wins and the others do nothing. */
	readonly guardsResuming: boolean;
}

/** n8n 2.41. The other rules of this harness are also those of this version. */
export const N8N_2: N8nVersion = { signsResumeUrl: true, guardsResuming: true };

/** The last of n8n 1.x, 1.123. */
export const N8N_1: N8nVersion = { signsResumeUrl: false, guardsResuming: false };
