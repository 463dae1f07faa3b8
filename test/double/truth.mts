import type { FastifyReply } from 'fastify';

import type { ServiceDescription } from './services.mts';
import type { Json } from './pages.mts';
import type { Task } from './records.mts';

/** What truly happened at the service: what a run of the node is measured against. */
export interface Truth {
	readonly assistants: readonly Json[];
	readonly playbooks: readonly Json[];
	readonly templates: readonly Json[];
	/** Every task there is, in the order of the list. */
	readonly tasks: Task[];
	/** Every question that was accepted, in the order of asking. */
	readonly questions: AcceptedQuestion[];
	/** Every upload job by its id. */
	readonly uploads: Map<string, UploadJob>;
	/** How many requests came in, to the API and to the file store. */
	requests: number;
	/** Where the key was shown to somebody it is not for. */
	readonly leaks: string[];
}

export interface AcceptedQuestion {
	readonly id: string;
	readonly sessionId: string;
	readonly assistantId: string;
	readonly text: string;
	readonly callbackUrl: string | undefined;
	readonly outcome: ServiceDescription['questions']['outcome'];
	/** The upload jobs that were attached, in order. */
	readonly jobIds: readonly string[];
	/** The files of its answer, in the order of the description. */
	readonly files: readonly GeneratedFile[];
	looks: number;
	finished: boolean;
	calledBack: boolean;
}

export interface GeneratedFile {
	readonly id: string;
	readonly content: Buffer;
	/** How often its address was given out, and how often one of them was asked for. */
	addresses: number;
	requests: number;
}

export interface UploadJob {
	readonly fileName: string;
	readonly contentType: string;
	/** The path and query of its address, to the letter. */
	readonly address: string;
	/** Exactly what was stored. */
	stored: Buffer | undefined;
	requests: number;
}

/** JSON as the service writes it. */
export function inJson(content: unknown, { pretty }: ServiceDescription['json']): string {
	return pretty ? `${JSON.stringify(content, null, 2)}\n` : JSON.stringify(content);
}

export function sendJson(reply: FastifyReply, { json }: ServiceDescription, body: unknown): FastifyReply {
	return reply.type(json.contentType).send(inJson(body, json));
}
