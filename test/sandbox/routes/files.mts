import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.mts';
import { object, requiredString } from '../fields.mts';
import { isSupported } from '../mediaTypes.mts';
import type { Service } from '../service.mts';

/** POST /files/upload-url. */
export function fileRoutes(app: FastifyInstance, { files }: Service): void {
	app.post<{ Body: unknown }>('/files/upload-url', ({ body }) => {
		const fields = object(body, 'The request body');
		const fileName = requiredString(fields, 'file_name');
		const contentType = requiredString(fields, 'content_type');
		if (!isSupported(contentType)) {
			throw new ApiError(400, 'unsupported_file_type', `Files of type ${contentType} are not supported`);
		}
		const { job, uploadUrl } = files.createJob(fileName, contentType);
		return { upload_url: uploadUrl, job_id: job.jobId, content_type: job.contentType };
	});
}
