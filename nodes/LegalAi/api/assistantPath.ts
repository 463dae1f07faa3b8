import { NotFoundError } from './errors';

type Spelling = 'assistants' | 'agents';

const MOST_SERVICES = 100;

/** What the services of this process were found to know last, by their base addresses: where to begin. The oldest go first. */
const lastKnown = new Map<string, Spelling>();

/**
 * The specification has the paths of assistants as `/assistants/…` and as `/agents/…`, and a service may know only one of
 * them. Which one is found out with the first request that succeeds; the next client of the service begins with it.
 */
export class AssistantPath {
	private readonly baseUrl: string;

	private known: Spelling | undefined;

	constructor(baseUrl: string) {
		this.baseUrl = baseUrl;
	}

	/** Sends a request to its path, or, if the service has nothing there, to the same in the other spelling. */
	async send<T>(path: string[], send: (path: string[]) => Promise<T>): Promise<T> {
		const [first, ...rest] = path;
		if (first !== 'assistants') return await send(path);

		const tried = this.known ?? lastKnown.get(this.baseUrl) ?? first;
		const other = tried === 'agents' ? 'assistants' : 'agents';
		return await this.sendAs(tried, rest, send).catch(async (error: unknown) => {
			if (!(error instanceof NotFoundError) || this.known === tried) throw error;
			return await this.sendAs(other, rest, send).catch((otherError: unknown) => {
				// At the path that it has, the service says with a code what it does not know.
				throw otherError instanceof NotFoundError && otherError.details.errorCode === undefined ? error : otherError;
			});
		});
	}

	private async sendAs<T>(spelling: Spelling, rest: string[], send: (path: string[]) => Promise<T>): Promise<T> {
		const result = await send([spelling, ...rest]);
		this.known = spelling;
		lastKnown.delete(this.baseUrl);
		lastKnown.set(this.baseUrl, spelling);
		for (const oldest of lastKnown.keys()) {
			if (lastKnown.size <= MOST_SERVICES) break;
			lastKnown.delete(oldest);
		}
		return result;
	}
}
