import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';
import { shapeList, shapeName } from '../shapes.mts';

/** GET /assistants, /playbooks and /templates. */
export function listRoutes(app: FastifyInstance, { organization, shapes }: Service): void {
	app.get('/assistants', () => {
		const listed = organization.assistants.filter(({ apiIntake }) => apiIntake);
		const records = listed.map(({ id, name }) => ({ id, ...shapeName(shapes.assistantName, name) }));
		return shapeList(shapes, 'assistants', records);
	});

	for (const library of ['playbooks', 'templates'] as const) {
		app.get(`/${library}`, () => {
			const records = organization[library].map(({ id, name }) => ({
				id,
				...shapeName(shapes.libraryName, name),
			}));
			return shapeList(shapes, library, records);
		});
	}
}
