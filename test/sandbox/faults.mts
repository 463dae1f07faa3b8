import type { LoggedRequest, Route } from './requests.mts';

/** What happens instead of the real response, or to it. */
export type FaultEffect =
	/** Waits (in sandbox milliseconds), then continues as usual. The only effect that another one can follow. */
	| { kind: 'latency'; ms: number }
	/** Answers without handling the request: what has no kind. A body that is not a string is sent as JSON. */
	| {
			kind?: undefined;
			status: number;
			body?: unknown;
			headers?: Readonly<Record<string, string>>;
	  }
	/** Redirects (307 by default) without handling the request. */
	| { kind: 'redirect'; location: string; status?: number }
	/** Never answers, and never handles the request. */
	| { kind: 'hang' }
	/** Resets the connection: before the body is read, before the request is handled, or once it has been. */
	| { kind: 'reset'; when: 'unread' | 'unhandled' | 'handled' }
	/** Handles the request, announces the whole response, and cuts the connection after half of its body. */
	| { kind: 'cut' }
	/** Handles the request and replaces the answer's body; a function is given the real one. */
	| {
			kind: 'body';
			body: string | ((body: string) => string);
			contentType?: string;
			status?: number;
	  };

/** Which requests a fault applies to, and how often. */
export type FaultRule = FaultEffect & {
	/** A route, or a predicate. By default every request, including those to the file storage. */
	match?: Route | ((request: LoggedRequest) => boolean);
	/** How many requests it applies to. Default 1; Infinity for all. */
	times?: number;
	/** How many matching requests to let through first. Default 0. */
	skip?: number;
};

/** A fault that was set. */
export interface Fault {
	/** How often it was applied. */
	fired: number;
	remove(): void;
}

interface SetFault extends Fault {
	rule: FaultRule;
	fired: number;
	passed: number;
}

/** The faults that are set. The first one that matches a request is applied, and every matching latency in addition. */
export class Faults {
	#set = new Set<SetFault>();

	add(rule: FaultRule): Fault {
		const fault = {
			rule,
			fired: 0,
			passed: 0,
			remove: () => void this.#set.delete(fault),
		};
		this.#set.add(fault);
		return fault;
	}

	clear() {
		this.#set.clear();
	}

	/** The faults to apply to a request, latencies first. They count as applied. */
	strike(request: LoggedRequest) {
		let latency = 0;
		let effect: FaultEffect | undefined;
		for (const fault of this.#set) {
			const { rule } = fault;
			if (effect !== undefined && rule.kind !== 'latency') continue;
			if (fault.fired >= (rule.times ?? 1) || !matches(rule, request)) continue;
			if (fault.passed < (rule.skip ?? 0)) {
				fault.passed += 1;
				continue;
			}
			fault.fired += 1;
			if (rule.kind === 'latency') latency += rule.ms;
			else effect = rule;
		}
		return { latency, effect };
	}
}

function matches({ match }: FaultRule, request: LoggedRequest) {
	if (match === undefined) return true;
	return typeof match === 'function' ? match(request) : match === request.route;
}
