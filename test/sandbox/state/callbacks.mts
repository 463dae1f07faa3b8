import { Agent, request } from 'undici';
import { Journal } from '../journal.mts';
import type { SandboxSettings } from '../options.mts';
import { serviceSignature } from '../signature.mts';

/** What goes wrong with callbacks; by default nothing. No callback is ever sent again automatically. */
const behaving = () => ({
	/** Never sent. */
	drop: false,
	/** Sent twice, both at the same time. */
	duplicate: false,
	/** Signs with this instead of the webhook secret. */
	secret: undefined as string | undefined,
});

/** One callback that was sent, or dropped. */
export interface Delivery {
	questionId: string;
	url: string;
	headers: Readonly<Record<string, string>>;
	body: string;
	/** What the receiver answered; null if it did not, or if the callback was dropped. */
	status: number | null;
}

interface Message {
	url: string;
	payload: Record<string, unknown>;
}

/** Sends the completion webhook (specification, "Events"). */
export class Callbacks {
	journal = new Journal<Delivery>('callback');
	faults = behaving();
	#messages = new Map<string, Message>();
	#secret;
	#settings;
	#agent = callbackAgent();

	constructor(secret: string, settings: Pick<SandboxSettings, 'clockAheadMs'>) {
		this.#secret = secret;
		this.#settings = settings;
	}

	/** Sends a question's callback, subject to the faults. Resolves once each delivery was attempted. */
	async send(questionId: string, url: string, payload: Record<string, unknown>) {
		this.#messages.set(questionId, { url, payload });
		const { drop, duplicate } = this.faults;
		await Promise.all((duplicate ? [1, 2] : [1]).map(() => this.resend(questionId, drop)));
	}

	/** Sends the callback of an ended question again, with the same payload. */
	async resend(questionId: string, isDropped = false) {
		const message = this.#messages.get(questionId);
		if (message === undefined) throw new Error(`Question ${questionId} has had no callback`);
		const { url, payload } = message;
		const body = JSON.stringify(payload);
		const headers = this.#headers(body);
		const status = isDropped ? null : await this.#post(url, headers, body);
		const delivery = { questionId, url, headers, body, status };
		if (this.#messages.get(questionId) === message) this.journal.add(delivery);
		return delivery;
	}

	async reset() {
		Object.assign(this.faults, behaving());
		this.#messages.clear();
		await this.close();
		this.#agent = callbackAgent();
		this.journal.clear();
	}

	/** Aborts deliveries that are in progress. */
	async close() {
		await this.#agent.destroy();
	}

	#headers(body: string) {
		const timestamp = Math.floor((Date.now() + this.#settings.clockAheadMs) / 1000);
		return {
			'content-type': 'application/json',
			'user-agent': 'legal-ai-callbacks/1.0',
			'service-signature': serviceSignature(this.faults.secret ?? this.#secret, timestamp, body),
		};
	}

	async #post(url: string, headers: Record<string, string>, body: string) {
		try {
			const response = await request(url, {
				method: 'POST',
				headers,
				body,
				dispatcher: this.#agent,
			});
			await response.body.dump();
			return response.statusCode;
		} catch {
			return null;
		}
	}
}

/** One connection per callback, and no redirects. Gives up on a receiver that does not answer. */
const callbackAgent = () =>
	new Agent({
		connect: { timeout: 5_000 },
		headersTimeout: 10_000,
		bodyTimeout: 10_000,
		pipelining: 0,
	});
