import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.mts';
import { Refusal } from '../errors.mts';
import type { Random } from '../random.mts';

const HOUR = 3_600_000;
const UPLOAD_URL_LIFETIME = HOUR;
const DOWNLOAD_URL_LIFETIME = 24 * HOUR;
const RETENTION = 30 * 24 * HOUR;

/** What the storage keeps of an uploaded file. */
export interface Upload {
	contentLength: number;
	/** Lowercase hex. */
	sha256: string;
	/** Sandbox milliseconds. */
	at: number;
}

/** An upload job, with its file once that is uploaded. */
export interface UploadJob {
	jobId: string;
	fileName: string;
	contentType: string;
	upload: Upload | undefined;
}

/** A file that comes with an answer. */
export interface GeneratedFile {
	fileName: string;
	contentType: string;
	content: Buffer;
}

/** What makes an address a presigned one: until when it is valid, and the signature over that. */
export interface PresignedQuery {
	expires?: string;
	signature?: string;
}

/** Upload jobs and generated files behind presigned addresses (specification, "Upload flow", "Limits"). */
export class Files {
	/** Upload jobs by id. */
	jobs = new Map<string, UploadJob>();
	/** Generated files by id. */
	generated = new Map<string, GeneratedFile>();
	/** Scheme, host and port of the storage's addresses; known once the sandbox listens. */
	origin = '';
	#clock;
	#random;
	#secret;

	constructor(clock: Clock, random: Random) {
		this.#clock = clock;
		this.#random = random;
		this.#secret = random.hex(32);
	}

	createJob(fileName: string, contentType: string) {
		const jobId = this.#random.uuid();
		this.jobs.set(jobId, { jobId, fileName, contentType, upload: undefined });
		const path = `/storage/uploads/${jobId}`;
		return { jobId, uploadUrl: this.#presigned(path, UPLOAD_URL_LIFETIME, contentType) };
	}

	/** The job that a PUT uploads to. Its address is signed for the declared content type alone. */
	uploadable(jobId: string, contentType: string, query: PresignedQuery) {
		this.#check(query, `/storage/uploads/${jobId}`, contentType);
		return known(this.jobs.get(jobId));
	}

	/** The job behind an `upload_job_id`, with its file; 400 if it is unknown, without a file, or too old. */
	uploaded(jobId: string) {
		const job = this.jobs.get(jobId);
		const upload = job?.upload;
		if (job === undefined || upload === undefined || this.#clock.now() > upload.at + RETENTION) {
			throw new Refusal(
				400,
				'invalid_upload_job',
				'One or more upload_job_id values are invalid or expired',
			);
		}
		return { ...job, upload };
	}

	keepGenerated(file: GeneratedFile) {
		const id = this.#random.uuid();
		this.generated.set(id, file);
		return id;
	}

	/** A generated file as the API shows it, with an address that is valid for the next 24 hours. */
	attachment(id: string): Record<string, unknown> {
		const { fileName, contentType, content } = known(this.generated.get(id));
		const url = this.#presigned(`/storage/generated/${id}`, DOWNLOAD_URL_LIFETIME);
		return {
			file_name: fileName,
			content_type: contentType,
			content_length: content.byteLength,
			url,
		};
	}

	downloadable(id: string, query: PresignedQuery) {
		this.#check(query, `/storage/generated/${id}`);
		return known(this.generated.get(id));
	}

	reset() {
		this.jobs.clear();
		this.generated.clear();
	}

	#presigned(path: string, lifetime: number, contentType?: string) {
		const expires = String(this.#clock.now() + lifetime);
		return `${this.origin}${path}?expires=${expires}&signature=${encodeURIComponent(this.#signature(path, expires, contentType))}`;
	}

	#check({ expires = '', signature }: PresignedQuery, path: string, contentType?: string) {
		if (!signature) throw new Refusal(403, 'AccessDenied', 'Access Denied');
		if (signature !== this.#signature(path, expires, contentType)) {
			throw new Refusal(
				403,
				'SignatureDoesNotMatch',
				'The request signature we calculated does not match the signature you provided.',
			);
		}
		if (this.#clock.now() > Number(expires))
			throw new Refusal(403, 'AccessDenied', 'Request has expired');
	}

	/** In base64, as some stores have it: who decodes and encodes the address again breaks it. */
	#signature(path: string, expires: string, contentType = '') {
		return createHmac('sha256', this.#secret)
			.update([path, expires, contentType].join('\n'))
			.digest('base64');
	}
}

function known<Thing>(thing: Thing | undefined): Thing {
	if (thing === undefined) throw new Refusal(404, 'NoSuchKey', 'The specified key does not exist.');
	return thing;
}
