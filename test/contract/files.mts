import { MEDIA_TYPES } from '../sandbox/mediaTypes.mts';
import { clause, type Clause, Differs, shared } from './clause.mts';
import { CHECK_NAME, type CheckedService } from './checkedService.mts';
import { address, exactly, expectFields, expectOk, expectRefusal, text } from './shape.mts';

const PDF = 'application/pdf';
const TEXT = 'text/plain';
const CONTENT = 'Either party may end this agreement with thirty days of notice.';

const jobFor = (service: CheckedService, body: object) => service.post('/files/upload-url', body);

const newJob = shared('the upload job', async (service) => {
	const body = expectOk(
		await jobFor(service, { file_name: `${CHECK_NAME}.txt`, content_type: TEXT }),
	);
	return expectFields(body, { upload_url: address, job_id: text });
});

/** The ID of an upload job whose file is uploaded. */
export const uploadedJob = shared('the file', async (service) => {
	const { job_id: id, upload_url: url } = await newJob(service);
	const { status } = await service.upload(String(url), TEXT, CONTENT);
	if (status < 200 || status > 299) throw new Differs('status 200 to 299', `status ${status}`);
	return String(id);
});

const lacking: object[] = [{ file_name: 'a.pdf' }, { content_type: PDF }, {}];

/** Uploads (specification, "POST /files/upload-url"). */
export const files: Clause[] = [
	clause(
		'POST /files/upload-url answers an upload job with the content type that was declared',
		async (service) => {
			expectFields(await newJob(service), { content_type: exactly(TEXT) });
		},
	),
	clause(
		'POST /files/upload-url refuses a body that lacks a field with 400 and error_code "invalid_request_body"',
		async (service) => {
			for (const body of lacking)
				expectRefusal(await jobFor(service, body), 400, 'invalid_request_body');
		},
	),
	clause(
		'POST /files/upload-url refuses a program with 400 and error_code "unsupported_file_type"',
		async (service) => {
			const program = { file_name: 'a.exe', content_type: 'application/x-msdownload' };
			expectRefusal(await jobFor(service, program), 400, 'unsupported_file_type');
		},
	),
	clause(
		'POST /files/upload-url takes every type of file that the specification names',
		async (service) => {
			const refused: string[] = [];
			for (const [name, [contentType]] of Object.entries(MEDIA_TYPES)) {
				const { status } = await jobFor(service, {
					file_name: `a.${name.toLowerCase()}`,
					content_type: contentType,
				});
				if (status !== 200) refused.push(`${name} (${contentType})`);
			}
			if (refused.length > 0) throw new Differs('all of them', `refused: ${refused.join(', ')}`);
		},
	),
	clause('A file is sent to the upload address by PUT, without the key', async (service) => {
		await uploadedJob(service);
	}),
];
