import type { Clock } from '../clock.mts';
import { ApiError } from '../errors.mts';
import type { Random } from '../random.mts';
import { Presigner, StorageError, type Grant, type PresignedQuery } from './presign.mts';

const HOUR = 3_600_000;
const UPLOAD_URL_LIFETIME = HOUR;
const DOWNLOAD_URL_LIFETIME = 24 * HOUR;
const RETENTION = 30 * 24 * HOUR;

/** What the storage keeps of an uploaded file. */
export interface Upload {
	readonly contentLength: number;
	/** Lowercase hex. */
	readonly sha256: string;
	/** Undefined if the file was larger than `keepContentUpTo`. */
	readonly content: Buffer | undefined;
	/** Sandbox milliseconds. */
	readonly at: number;
}

/** An upload job, with its file once that is uploaded. */
export interface UploadJob {
	readonly jobId: string;
	readonly fileName: string;
	readonly contentType: string;
	upload: Upload | undefined;
}

/** A file that comes with an answer. */
export interface GeneratedFile {
	readonly fileName: string;
	readonly contentType: string;
	readonly content: Buffer;
}

/** Upload jobs and generated files behind presigned addresses (specification, "Upload flow", "Limits"). */
export class Files {
	/** Upload jobs by id. */
	readonly jobs = new Map<string, UploadJob>();
	/** Generated files by id. */
	readonly generated = new Map<string, GeneratedFile>();
	/** Scheme, host and port of the storage's addresses; known once the sandbox listens. */
	origin = '';
	readonly #clock: Clock;
	readonly #random: Random;
	readonly #presigner: Presigner;

	constructor(clock: Clock, random: Random) {
		this.#clock = clock;
		this.#random = random;
		this.#presigner = new Presigner(random.hex(32));
	}

	createJob(fileName: string, contentType: string): { job: UploadJob; uploadUrl: string } {
		const job: UploadJob = { jobId: this.#random.uuid(), fileName, contentType, upload: undefined };
		this.jobs.set(job.jobId, job);
		const expires = this.#clock.now() + UPLOAD_URL_LIFETIME;
		return { job, uploadUrl: this.#url({ path: `/storage/uploads/${job.jobId}`, expires, contentType }) };
	}

	/** The job that a PUT uploads to. */
	uploadable(jobId: string, contentType: string, query: PresignedQuery): UploadJob {
		const path = `/storage/uploads/${jobId}`;
		this.#presigner.check({ path, contentType }, query, this.#clock.now());
		const job = this.jobs.get(jobId);
		if (job === undefined) throw new StorageError(404, 'NoSuchKey', 'The specified key does not exist.');
		return job;
	}

	/** The job behind an `upload_job_id`, with its file; 400 if it is unknown, without a file, or too old. */
	uploaded(jobId: string): UploadJob & { readonly upload: Upload } {
		const job = this.jobs.get(jobId);
		const upload = job?.upload;
		if (job === undefined || upload === undefined || this.#clock.now() > upload.at + RETENTION) {
			throw new ApiError(400, 'invalid_upload_job', 'One or more upload_job_id values are invalid or expired');
		}
		return { ...job, upload };
	}

	keepGenerated(file: GeneratedFile): string {
		const id = this.#random.uuid();
		this.generated.set(id, file);
		return id;
	}

	/** A generated file as the API shows it, with an address that is valid for the next 24 hours. */
	attachment(id: string): Record<string, unknown> {
		const file = this.#generatedFile(id);
		const expires = this.#clock.now() + DOWNLOAD_URL_LIFETIME;
		const url = this.#url({ path: `/storage/generated/${id}`, expires, contentType: '' });
		return { file_name: file.fileName, content_type: file.contentType, content_length: file.content.byteLength, url };
	}

	downloadable(id: string, query: PresignedQuery): GeneratedFile {
		const path = `/storage/generated/${id}`;
		this.#presigner.check({ path, contentType: '' }, query, this.#clock.now());
		return this.#generatedFile(id);
	}

	reset(): void {
		this.jobs.clear();
		this.generated.clear();
	}

	#generatedFile(id: string): GeneratedFile {
		const file = this.generated.get(id);
		if (file === undefined) throw new StorageError(404, 'NoSuchKey', 'The specified key does not exist.');
		return file;
	}

	#url(grant: Grant): string {
		return this.origin + this.#presigner.sign(grant);
	}
}
