import type { AnswerScript } from './state/answers.mts';

/** What a test can change while the sandbox runs. `reset()` restores what it was started with. */
export interface SandboxSettings {
	/** How long a question takes, in sandbox milliseconds: evenly spread between the two. Default 2 to 5 minutes. */
	answerTime: readonly [min: number, max: number];
	/** How a question ends. Default: a made-up review. */
	answer: AnswerScript | undefined;
	/** New sessions per sandbox minute; Infinity turns the limit off. Default 60. */
	newSessionsPerMinute: number;
	/** API requests per sandbox minute; Infinity turns the limit off. Default 400. */
	requestsPerMinute: number;
	/** How far the service's clock is ahead of this machine's, in ms, as its responses and signatures show. Default 0. */
	clockAheadMs: number;
}

export interface SandboxOptions extends Partial<SandboxSettings> {
	/** Any free port by default. */
	port?: number;
	/** How many times faster than the wall clock the sandbox's time runs. Default 1. */
	timeScale?: number;
	/** The same seed gives the same ids, times and chances. */
	seed?: number;
	/** Receives one line per request. */
	log?: (line: string) => void;
	/** Made up from the seed by default. */
	apiKey?: string;
	/** Made up from the seed by default. */
	webhookSecret?: string;
}

const MINUTE = 60_000;

export const defaultSettings: SandboxSettings = {
	answerTime: [2 * MINUTE, 5 * MINUTE],
	answer: undefined,
	newSessionsPerMinute: 60,
	requestsPerMinute: 400,
	clockAheadMs: 0,
};
