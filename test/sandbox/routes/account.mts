import type { FastifyInstance } from 'fastify';
import type { Service } from '../service.mts';

/** GET /me. */
export function accountRoutes(app: FastifyInstance, { organization }: Service): void {
	app.get('/me', () => organization.user);
}
