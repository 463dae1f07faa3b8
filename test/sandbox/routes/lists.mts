import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';

/** GET /me, /assistants, /playbooks and /templates. */
export function listRoutes(app: FastifyInstance, { organization }: Service): void {
	app.get('/me', () => organization.user);
	app.get('/assistants', () => {
		const listed = organization.assistants.filter(({ apiIntake }) => apiIntake);
		return listed.map(({ id, name }) => ({ id, name }));
	});
	for (const library of ['playbooks', 'templates'] as const) {
		app.get(`/${library}`, () => organization[library].map(({ id, name }) => ({ id, name })));
	}
}
