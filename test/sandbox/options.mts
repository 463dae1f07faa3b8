import type { AnswerScript } from './state/answers.mts';

/** What a test may change while the sandbox runs; `reset()` puts back what it was started with. */
export interface SandboxSettings {
	/** How long a question takes, in sandbox milliseconds: evenly spread between the two. Default 2 to 5 minutes. */
	answerTime: readonly [min: number, max: number];
	/** What a question comes to; without it, a made-up review. */
	answer: AnswerScript | undefined;
	/** New sessions a sandbox minute; Infinity turns the limit off. Default 60. */
	newSessionsPerMinute: number;
	/** API requests a sandbox minute; Infinity turns the limit off. Default 400. */
	requestsPerMinute: number;
	/** The largest upload, in bytes. Default 50 MB. */
	maxFileBytes: number;
	/** Uploads up to this many bytes keep their content, larger ones their length and hash alone. Default 1 MB. */
	keepContentUpTo: number;
}

export interface SandboxOptions extends SandboxSettings {
	/** 0 (the default) takes any free port. */
	port: number;
	host: string;
	/** How many times faster than the wall clock the sandbox's time runs. Default 1. */
	timeScale: number;
	/** The same seed gives the same ids, times and chances. */
	seed: number;
	/** Receives one line a request. */
	log: ((line: string) => void) | undefined;
	/** Made up from the seed by default. */
	apiKey: string | undefined;
	/** Made up from the seed by default. */
	webhookSecret: string | undefined;
}

const MINUTE = 60_000;

export const defaults: SandboxOptions = {
	port: 0,
	host: '127.0.0.1',
	timeScale: 1,
	seed: 1,
	log: undefined,
	apiKey: undefined,
	webhookSecret: undefined,
	answerTime: [2 * MINUTE, 5 * MINUTE],
	answer: undefined,
	newSessionsPerMinute: 60,
	requestsPerMinute: 400,
	maxFileBytes: 50 * 1024 * 1024,
	keepContentUpTo: 1024 * 1024,
};

/** The changeable part of the options, as a copy of its own. */
export function settingsOf(options: SandboxOptions): SandboxSettings {
	const { answerTime, answer, newSessionsPerMinute, requestsPerMinute, maxFileBytes, keepContentUpTo } = options;
	return { answerTime, answer, newSessionsPerMinute, requestsPerMinute, maxFileBytes, keepContentUpTo };
}
