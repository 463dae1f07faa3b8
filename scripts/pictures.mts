// `node scripts/pictures.mts [example.json …]`: shows examples as n8n's editor does, in examples/pictures/; by default, all of them. What
// comes out of them is shown by their end-to-end tests, if LEGAL_AI_PICTURES is set.
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { Editor } from '../harness/editor.mts';
import { credentialType, exampleNames, importExample } from '../harness/examples.mts';
import { projectFolder } from '../harness/installedPackage.mts';
import { startN8n } from '../harness/n8n.mts';
import { takeCanvasPicture } from './canvasPicture.mts';

const folder = join(projectFolder, 'examples', 'pictures');
const chosen = process.argv.slice(2);
const names = (chosen.length > 0 ? chosen : await exampleNames()).map((path) =>
	basename(path, '.json'),
);
const n8n = await startN8n();
try {
	const data = { baseUrl: 'https://legal-ai.example.com/api/v1', apiKey: 'sk-svc-api1-example' };
	const credential = await n8n.createCredential(credentialType, 'Legal AI', data);
	const editor = await Editor.open(n8n);
	for (const name of names) {
		const { id } = await importExample(n8n, `${name}.json`, credential);
		await editor.openWorkflow(id);
		await writeFile(join(folder, `${name}.png`), await takeCanvasPicture(editor.page));
	}
	await editor.close();
} finally {
	await n8n.close();
}
