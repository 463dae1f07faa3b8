import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';
import { shapeList, shapeName } from '../shapes.mts';

/** GET /assistants, /playbooks and /templates. */
export function listRoutes(app: FastifyInstance, { organisation, shapes }: Service): void {
	app.get('/assistants', () => {
		const listed = organisation.assistants.filter(({ apiIntake }) => apiIntake);
		const records = listed.map(({ id, name }) => ({ id, ...shapeName(shapes.assistantName, name) }));
		return shapeList(shapes, 'assistants', records);
	});

	for (const library of ['playbooks', 'templates'] as const) {
		app.get(`/${library}`, () => {
			const records = organisation[library].map(({ id, name }) => ({
				id,
				...shapeName(shapes.libraryName, name),
			}));
			return shapeList(shapes, library, records);
		});
	}
}
