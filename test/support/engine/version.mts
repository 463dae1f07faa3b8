/** What tells apart the n8n versions that people run, as far as a wait depends on it. */
export interface N8nVersion {
	/** `$execution.resumeUrl` carries a token, and a call without it is turned away. */
	readonly signsResumeUrl: boolean;
	/** Of several that resume an execution at the same time, one wins and the others do nothing. */
	readonly guardsResuming: boolean;
}

/** n8n 2.41; the other rules of the harness are this version's too. */
export const N8N_2: N8nVersion = { signsResumeUrl: true, guardsResuming: true };

/** The last of n8n 1.x, 1.123. */
export const N8N_1: N8nVersion = { signsResumeUrl: false, guardsResuming: false };
