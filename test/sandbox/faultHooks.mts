import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from './clock.mts';
import type { FaultEffect, Faults } from './faults.mts';
import type { Requests } from './requests.mts';

/** Applies the faults, each at its point in the handling of a request. */
export function installFaults(
	app: FastifyInstance,
	faults: Faults,
	requests: Requests,
	clock: Clock,
) {
	const struck = new WeakMap<FastifyRequest, FaultEffect>();

	app.addHook('onRequest', async (request, reply) => {
		const { latency, effect } = faults.strike(requests.of(request));
		if (latency > 0) await clock.sleep(latency);
		if (effect === undefined) return;
		struck.set(request, effect);
		if (effect.kind === 'reset' && effect.when === 'unread') return reset(reply);
		if (effect.kind === 'hang') return reply.hijack();
		if (effect.kind === undefined) {
			const { body = '' } = effect;
			const text = typeof body === 'string';
			reply
				.code(effect.status)
				.type(text ? 'text/html; charset=utf-8' : 'application/json')
				.headers(effect.headers ?? {});
			return reply.send(text ? body : JSON.stringify(body));
		}
		if (effect.kind === 'redirect') return reply.redirect(effect.location, effect.status ?? 307);
		return undefined;
	});

	app.addHook('preHandler', async (request, reply) => {
		const effect = struck.get(request);
		return effect?.kind === 'reset' && effect.when === 'unhandled' ? reset(reply) : undefined;
	});

	app.addHook('onSend', (request, reply, payload: unknown, done) => {
		const effect = struck.get(request);
		const body = asBytes(payload);
		if (effect?.kind === 'reset' && effect.when === 'handled') reset(reply);
		else if (effect?.kind === 'cut') cut(reply, body);
		else if (effect?.kind === 'body') {
			reply.code(effect.status ?? reply.statusCode);
			if (effect.contentType !== undefined) reply.type(effect.contentType);
			done(null, typeof effect.body === 'string' ? effect.body : effect.body(body.toString()));
		} else done(null, payload);
	});
}

function asBytes(payload: unknown) {
	if (Buffer.isBuffer(payload)) return payload;
	return Buffer.from(typeof payload === 'string' ? payload : '');
}

function reset(reply: FastifyReply) {
	reply.hijack();
	reply.raw.socket?.resetAndDestroy();
	return reply;
}

/** Announces the whole body, but sends only half of it. */
function cut(reply: FastifyReply, body: Buffer) {
	reply.hijack();
	const { raw } = reply;
	raw.statusCode = reply.statusCode;
	for (const [name, value] of Object.entries(reply.getHeaders()))
		if (value !== undefined) raw.setHeader(name, value);
	const length = Math.ceil(body.length / 2);
	raw.setHeader('content-length', Math.max(body.length, length + 1));
	raw.flushHeaders();
	raw.write(body.subarray(0, length), () => raw.socket?.destroy());
}
