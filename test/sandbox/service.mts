import { Clock } from './clock.mts';
import { Faults } from './faults.mts';
import { KEY_PREFIX } from './auth.mts';
import { RateLimit } from './limits.mts';
import { defaultSettings, type SandboxOptions, type SandboxSettings } from './options.mts';
import { Random } from './random.mts';
import { Requests } from './requests.mts';
import { Callbacks } from './state/callbacks.mts';
import { Files } from './state/files.mts';
import { organization, type User } from './state/organization.mts';
import { Questions } from './state/questions.mts';
import { Tasks } from './state/tasks.mts';

type ServiceOptions = Omit<SandboxOptions, 'port' | 'log'>;

/** All that the routes work on: the state of one sandbox, without its HTTP server. */
export class Service {
	clock;
	/** Answer times and scripts, limits. */
	settings: SandboxSettings;
	/** What goes wrong with requests. */
	faults = new Faults();
	requests = new Requests();
	/** The user, the assistants, the playbooks and templates. */
	organization = organization();
	requestLimit;
	sessionLimit;
	/** Upload jobs with what was uploaded, and generated files. */
	files;
	callbacks;
	questions: Questions;
	tasks;
	apiKey;
	/** The keys that are valid, and whose they are if not the usual user's. */
	keys = new Map<string, User | undefined>();
	webhookSecret;
	#initial;

	constructor({ seed = 1, timeScale = 1, apiKey, webhookSecret, ...settings }: ServiceOptions) {
		const random = new Random(seed);
		this.clock = new Clock(timeScale);
		this.#initial = { ...defaultSettings, ...settings };
		this.settings = { ...this.#initial };
		this.apiKey = apiKey ?? KEY_PREFIX + random.uuid();
		this.keys.set(this.apiKey, undefined);
		this.webhookSecret = webhookSecret ?? `whsec_${random.hex(40)}`;
		this.requestLimit = new RateLimit(this.clock, () => this.settings.requestsPerMinute);
		this.sessionLimit = new RateLimit(this.clock, () => this.settings.newSessionsPerMinute);
		this.files = new Files(this.clock, random);
		this.callbacks = new Callbacks(this.webhookSecret, this.settings);
		this.questions = new Questions(this, random);
		this.tasks = new Tasks(this.clock, random, this.organization);
	}

	/** Restores settings, faults, state and logs. Time and IDs continue. */
	async reset() {
		this.clock.cancelAll();
		this.faults.clear();
		await this.callbacks.reset();
		Object.assign(this.settings, this.#initial);
		Object.assign(this.organization, organization());
		this.keys.clear();
		this.keys.set(this.apiKey, undefined);
		this.requestLimit.reset();
		this.sessionLimit.reset();
		this.files.reset();
		this.questions.reset();
		this.tasks.reset();
		this.requests.reset();
	}
}
