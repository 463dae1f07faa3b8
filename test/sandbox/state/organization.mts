/** The User that GET /me answers (specification, "User"). */
export interface User {
	user_id: string;
	customer_id: string;
	user_name: string | null;
	user_email: string;
	customer_name: string;
}

/** Which questions an assistant accepts, and how it declines the others. */
export interface Intake {
	/** A new question is accepted if it contains one of these words. */
	keywords: string[];
	declineAnswer: string | null;
	declineReason: string | null;
}

/** An assistant. Tests can turn off its API intake, or change its intake instruction. */
export interface Assistant {
	id: string;
	name: string;
	/** If off, the assistant is not listed and accepts no questions; earlier questions can still be polled. */
	apiIntake: boolean;
	intake: Intake | null;
}

/** The assistants that every sandbox starts with. */
export const ASSISTANTS = {
	/** The general assistant. */
	general: 'default',
	/** Has an intake instruction: declines new questions that are not about contracts. */
	contracts: '5a8f2c1e-7d34-4b6a-9e10-3c2f8d7b6a51',
	/** Its API intake is off. */
	switchedOff: '9d4b7e20-1c58-4f3d-8a6b-e0f1c2d3b4a5',
};

const user: User = {
	user_id: '1f0c9a52-6b1d-4f0e-9b58-2a7d4c3e5f60',
	customer_id: '7c3e5f60-2a7d-4c3e-8f60-1f0c9a526b1d',
	user_name: 'Ada Okafor',
	user_email: 'ada.okafor@example.com',
	customer_name: 'Example Industries',
};

const assistants: Assistant[] = [
	{ id: ASSISTANTS.general, name: 'General Assistant', apiIntake: true, intake: null },
	{
		id: ASSISTANTS.contracts,
		name: 'Contract Intake',
		apiIntake: true,
		intake: {
			keywords: ['contract', 'agreement', 'nda', 'clause', 'redline'],
			declineAnswer:
				'This assistant takes on contract work only. Please ask the general assistant.',
			declineReason: 'The question is not about a contract.',
		},
	},
	{ id: ASSISTANTS.switchedOff, name: 'Retired Assistant', apiIntake: false, intake: null },
];

const playbooks = [
	{ id: '3b9e6a70-52c4-4d1f-a8b3-6f7e8d9c0b1a', name: 'Mutual NDA' },
	{ id: '4c0f7b81-63d5-4e20-b9c4-7a8f9e0d1c2b', name: 'SaaS Procurement' },
	{ id: '5d108c92-74e6-4f31-8ad5-8b90af1e2d3c', name: 'Data Processing Agreement' },
];

const templates = [
	{ id: '6e219da3-85f7-4042-9be6-9ca1b02f3e4d', name: 'Non-Disclosure Agreement' },
	{ id: '7f32aeb4-9608-4153-8cf7-adb2c1304f5e', name: 'Consultancy Agreement' },
];

const people = { ada: user.user_id, ben: '2e1d0b63-7c2e-4a1f-8c69-3b8e5d4f6071' };
const agents = { redliner: '8a43bfc5-a719-4264-9d08-bec3d2415a6f' };
const teams = {
	commercial: '9b54c0d6-b82a-4375-ae19-cfd4e3526b70',
	privacy: 'ac65d1e7-c93b-4486-8f2a-d0e5f4637c81',
};

const initial = { user, assistants, playbooks, templates, people, agents, teams };

/** The organization behind a sandbox, with the IDs of people, agents and teams that its initial tasks refer to. */
export type Organization = typeof initial;

/** The organization a sandbox starts with. */
export const organization = () => structuredClone(initial);
