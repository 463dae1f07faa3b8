import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.mts';
import { isSupported } from '../mediaTypes.mts';
import type { Service } from '../service.mts';

interface NewFile {
	file_name: string;
	content_type: string;
}

const text = { type: 'string', minLength: 1 };
const newFile = {
	type: 'object',
	required: ['file_name', 'content_type'],
	properties: { file_name: text, content_type: text },
	additionalProperties: false,
};

/** POST /files/upload-url. */
export function fileRoutes(app: FastifyInstance, { files }: Service) {
	app.post<{ Body: NewFile }>(
		'/files/upload-url',
		{ schema: { body: newFile } },
		({ body: { file_name, content_type } }) => {
			if (!isSupported(content_type))
				throw new Refusal(
					400,
					'unsupported_file_type',
					`Files of type ${content_type} are not supported`,
				);
			const { jobId, uploadUrl } = files.createJob(file_name, content_type);
			return { upload_url: uploadUrl, job_id: jobId, content_type };
		},
	);
}
