import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';

/** GET /me. */
export function accountRoutes(app: FastifyInstance, { organisation }: Service): void {
	app.get('/me', () => organisation.user);
}
