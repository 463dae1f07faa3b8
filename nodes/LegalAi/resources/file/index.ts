import type { Resource } from '../../execution/operation';
import { download } from './download.operation';
import { upload } from './upload.operation';

/** Files that questions are asked about, and files that came with answers. */
export const file = {
	option: { name: 'File', value: 'file' },
	operations: { upload, download },
} satisfies Resource;
