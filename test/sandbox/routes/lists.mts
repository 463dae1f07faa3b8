import type { FastifyInstance } from 'fastify';
import { checkKey } from '../auth.mts';
import type { Service } from '../service.mts';

/** GET /me, /assistants, /playbooks and /templates. */
export function listRoutes(app: FastifyInstance, { organization, keys }: Service) {
	app.get(
		'/me',
		({ headers }) => keys.get(checkKey(headers.authorization, keys)) ?? organization.user,
	);
	app.get('/assistants', () => {
		const listed = organization.assistants.filter(({ apiIntake }) => apiIntake);
		return listed.map(({ id, name }) => ({ id, name }));
	});
	for (const library of ['playbooks', 'templates'] as const) {
		app.get(`/${library}`, () => organization[library].map(({ id, name }) => ({ id, name })));
	}
}
